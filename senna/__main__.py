"""The `senna` program, also as `python -m senna` and `torchrun -m senna`: how signals end it."""

import sys
from typing import Any


def main() -> None:
    """Run the program; Ctrl-C is awaited before anything is loaded, which takes a while."""
    try:
        import signal

        for name in ("SIGTERM", "SIGHUP"):
            number = getattr(signal, name, None)
            if number is not None and signal.getsignal(number) == signal.SIG_DFL:  # no nohup
                signal.signal(number, _end)
        from senna.cli.app import main as program

        program()
    except KeyboardInterrupt:
        sys.exit(130)


def _end(number: int, frame: Any) -> None:
    """End as after an error: nothing is left behind."""
    import signal

    signal.signal(number, signal.SIG_IGN)
    sys.exit(128 + number)


if __name__ == "__main__":
    main()
