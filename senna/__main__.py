"""The `senna` program, also as `python -m senna`: how signals end it."""

from __future__ import annotations

import sys

TYPE_CHECKING = False  # `typing` takes as long to import as all else here: Ctrl-C would wait for it
if TYPE_CHECKING:
    from typing import Any


def main() -> None:
    """Run the program; Ctrl-C ends it without a word, also while something is imported."""
    import gc
    import signal

    gc.set_threshold(100_000)  # modules, and tags in lists by the thousand: few are in a circle
    interrupted = []

    def interrupt(number: int, frame: Any) -> None:
        interrupted.append(number)
        raise KeyboardInterrupt

    try:
        if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            signal.signal(signal.SIGINT, interrupt)
        for name in ("SIGTERM", "SIGHUP"):
            number = getattr(signal, name, None)
            if number is not None and signal.getsignal(number) == signal.SIG_DFL:  # no nohup
                signal.signal(number, _end)
        from senna.cli.main import main as program

        program()
    except KeyboardInterrupt:
        sys.exit(130)
    except Exception:
        if interrupted:  # NumPy takes an import cut short for a damaged installation
            sys.exit(130)
        raise
    finally:
        gc.freeze()  # Python would look through all objects once more, and then end


def _end(number: int, frame: Any) -> None:
    import signal

    signal.signal(number, signal.SIG_IGN)
    sys.exit(128 + number)


if __name__ == "__main__":
    main()
