#!/usr/bin/env bash
# Two runs of the same samples, one by a reader with a known flaw, as one page to look at.
set -euo pipefail
for model in ${MODELS:-seqniah/lexical seqniah/skimming}; do
    inspect eval seqniah/test --model "$model" -T length=8k-16k,32k-64k --limit "${LIMIT:-40}" \
        --log-dir report-logs
done
seqniah report report-logs --out report # report/index.html; figures and tables beside it
seqniah records report-logs --out report-logs/answers.csv
