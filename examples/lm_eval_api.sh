#!/usr/bin/env bash
# An OpenAI-compatible API through lm-eval; here the offline reader behind seqniah serve.
set -euo pipefail
PORT=${PORT:-8398}
seqniah serve --port "$PORT" &
trap 'kill $!' EXIT
until (exec 3<>"/dev/tcp/127.0.0.1/$PORT") 2>/dev/null; do sleep 0.2; done
URL=${URL:-http://127.0.0.1:$PORT/v1/chat/completions}
OPENAI_API_KEY=${OPENAI_API_KEY:-none} lm_eval run \
    --model local-chat-completions --apply_chat_template \
    --model_args "model=${MODEL:-lexical},base_url=$URL,num_concurrent=8,max_retries=5,timeout=600" \
    --tasks seqniah --limit "${LIMIT:-20}" --log_samples --output_path lm-eval-out
seqniah score lm-eval lm-eval-out
