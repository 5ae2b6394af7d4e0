"""Layer 3, runs: benchmarks made of recipes and scorers, offered to the harnesses."""
