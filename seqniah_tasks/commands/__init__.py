"""The subcommands of `seqniah`, one file a purpose; `cli.py` puts them together."""
