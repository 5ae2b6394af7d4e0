#!/usr/bin/env bash
# The train split as prompts with references, needle offsets and exact token counts.
# No person and no question of it occurs in the dev or test split.
set -euo pipefail
seqniah build --split train --out "${OUT:-train}" --materialize parquet \
    --length "${LENGTH:-8k-16k}" --limit-per-stratum "${LIMIT:-5}"
