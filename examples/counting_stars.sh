#!/usr/bin/env bash
# Counting-Stars: 32 stars in prompts of up to MAX_LENGTH tokens, searched for, then counted by
# several players in one sky; a page with the map of stars by length.
set -euo pipefail
MODEL=${MODEL:-seqniah/lexical}
MAX_LENGTH=${MAX_LENGTH:-16k}
for task in searching players; do
    inspect eval seqniah/counting_stars --model "$MODEL" -M top_k=64 --limit "${LIMIT:-16}" \
        -T m=32 -T n=4 -T max_length="$MAX_LENGTH" -T task=$task --log-dir stars
done
seqniah report stars --out stars-report
