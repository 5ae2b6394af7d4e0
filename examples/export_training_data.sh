#!/usr/bin/env bash
# The train split as prompts with references, needle offsets and exact token counts.
# No person and no question of it occurs in the dev or test split.
set -euo pipefail
seqniah build train --out "${OUT:-train}" --materialize parquet \
    -T length="${LENGTH:-8k-16k}" -T limit_per_stratum="${LIMIT:-5}"
