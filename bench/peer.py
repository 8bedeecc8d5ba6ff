"""The lower limit for a first index: read every file, parse its frontmatter, nothing else."""

from __future__ import annotations

import os
import sys

import yaml


def main(root: str) -> None:
    """Read and parse in one loop, with PyYAML's C loader."""
    count = 0
    for folder, _, names in os.walk(os.path.join(root, "projects")):
        for name in names:
            if name.startswith("EXP-"):
                with open(os.path.join(folder, name), encoding="utf-8") as file:
                    block = file.read().split("\n---\n", 1)[0][4:]
                yaml.load(block, Loader=yaml.CSafeLoader)
                count += 1
    print(count)


if __name__ == "__main__":
    main(sys.argv[1])
