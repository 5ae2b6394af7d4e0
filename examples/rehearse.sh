#!/usr/bin/env bash
# Rehearse a run for nothing, against a server that cuts long prompts in silence; the summary tells.
# Needs the client library of the endpoint: pip install '.[openai]'.
set -euo pipefail
PORT=${PORT:-8399}
seqniah serve --port "$PORT" --truncate 12000 &
trap 'kill $!' EXIT
until (exec 3<>"/dev/tcp/127.0.0.1/$PORT") 2>/dev/null; do sleep 0.2; done
SEQNIAH_API_KEY=none SEQNIAH_BASE_URL=http://127.0.0.1:$PORT/v1 \
    inspect eval seqniah/test --model openai-api/seqniah/lexical \
    -T lang=en -T length=8k-16k --limit "${LIMIT:-24}" --log-dir rehearsal
seqniah summary --log-dir rehearsal
