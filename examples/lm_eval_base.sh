#!/usr/bin/env bash
# A base model through lm-eval: without --apply_chat_template, prompts end in a list to continue.
# Needs torch and transformers; DEVICE=cpu does for tiny models.
set -euo pipefail
lm_eval run --model hf --device "${DEVICE:-cuda:0}" --batch_size 1 \
    --model_args "pretrained=${MODEL:-Qwen/Qwen2.5-7B},dtype=auto" \
    --tasks "${TASKS:-seqniah}" --metadata '{"length": "8k-16k"}' \
    ${LIMIT:+--limit "$LIMIT"} --log_samples --output_path lm-eval-out
