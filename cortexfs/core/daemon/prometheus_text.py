"""Metrics in the text format of Prometheus, for its textfile collector."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable


class MetricType(StrEnum):
    """The types that are used."""

    COUNTER = "counter"
    GAUGE = "gauge"


class Sample(NamedTuple):
    """One value, and its label as name and value; without a label, two empty texts."""

    value: float
    label: str = ""
    label_value: str = ""


class Metric(NamedTuple):
    """One metric: its name in base units (a counter ends in `_total`), help, type and values."""

    name: str
    help: str
    type: MetricType
    samples: tuple[Sample, ...]


def render_prometheus(metrics: Iterable[Metric]) -> str:
    """Return the text of the metrics, without timestamps, which the collector refuses."""
    lines: list[str] = []
    for metric in metrics:
        help_text = metric.help.replace("\\", r"\\").replace("\n", r"\n")
        lines += [f"# HELP {metric.name} {help_text}", f"# TYPE {metric.name} {metric.type}"]
        lines += [
            f"{metric.name}{_format_label(each)} {each.value:.15g}" for each in metric.samples
        ]
    return "".join(f"{line}\n" for line in lines)


def _format_label(sample: Sample) -> str:
    if not sample.label:
        return ""
    value = sample.label_value.replace("\\", r"\\").replace('"', r"\"").replace("\n", r"\n")
    return f'{{{sample.label}="{value}"}}'
