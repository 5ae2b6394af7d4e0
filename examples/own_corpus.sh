#!/usr/bin/env bash
# Hide the needles in your own texts: a folder of .txt, .jsonl or .parquet files, or one file.
# CORPUS must hold documents as long as the samples wanted; both languages, or say -T lang=.
set -euo pipefail
: "${CORPUS:?set CORPUS to a folder of texts}"
seqniah index "$CORPUS"
inspect eval seqniah/test --model "${MODEL:-seqniah/lexical}" \
    -T corpus="$CORPUS" -T length="${LENGTH:-8k-16k}" --limit "${LIMIT:-10}"
seqniah summary
