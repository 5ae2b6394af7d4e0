#!/usr/bin/env bash
# Any model that inspect-ai knows, by name. Keys come from the provider's own variables.
set -euo pipefail
MODEL=${MODEL:-seqniah/lexical} # e.g. openai/gpt-5, anthropic/claude-opus-4-5, vllm/Qwen/Qwen3-8B
inspect eval seqniah/test --model "$MODEL" -T lang=en -T length=8k-16k --limit "${LIMIT:-10}"
seqniah summary
