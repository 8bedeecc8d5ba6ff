"""Tell systemd that the daemon is ready, works, or stops: one datagram each, without a library."""

from __future__ import annotations

import os
import re
import socket
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import MutableMapping

_MICROSECONDS = re.compile(r"[0-9]{1,15}", re.ASCII)
_VARIABLES = ("NOTIFY_SOCKET", "WATCHDOG_PID", "WATCHDOG_USEC")


class ServiceNotifier(NamedTuple):
    """The address of systemd's socket (empty: none), and the seconds of its watchdog (0: none)."""

    address: str = ""
    watchdog_s: float = 0.0

    def send(self, message: str) -> None:
        """Send a message; nothing happens if nobody listens."""
        if self.address:
            with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as sender:
                sender.settimeout(0)
                sender.sendto(message.encode(), self.address)


def take_notifier(environ: MutableMapping[str, str]) -> ServiceNotifier:
    """Return the notifier of this process, and remove its variables: children must not see them."""
    address, pid, usec = (environ.pop(name, "") for name in _VARIABLES)
    if not address.startswith(("/", "@")):
        return ServiceNotifier()
    is_ours = pid in {"", str(os.getpid())}
    watchdog_s = int(usec) / 1e6 if is_ours and _MICROSECONDS.fullmatch(usec) else 0.0
    name = f"\0{address[1:]}" if address.startswith("@") else address
    return ServiceNotifier(name, watchdog_s)
