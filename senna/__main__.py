"""`python -m senna`, and `torchrun -m senna`: the `senna` program."""

from senna.cli.app import main

if __name__ == "__main__":
    main()
