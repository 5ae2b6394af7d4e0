#!/usr/bin/env bash
# A chat model on GPUs through lm-eval and vLLM; needs pip install '.[vllm]' and a GPU or several.
# A model that thinks first: add think_end_token=</think> to --model_args, and --gen_kwargs
# max_gen_toks=32768.
set -euo pipefail
lm_eval run --model vllm --apply_chat_template --batch_size auto \
    --model_args "pretrained=${MODEL:-Qwen/Qwen2.5-14B-Instruct-1M},max_model_len=${WINDOW:-150000},tensor_parallel_size=${GPUS:-1},gpu_memory_utilization=0.9" \
    --tasks seqniah ${LIMIT:+--limit "$LIMIT"} --log_samples --output_path lm-eval-out
