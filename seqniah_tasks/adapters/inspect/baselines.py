"""The offline readers as a model provider of inspect-ai."""

from __future__ import annotations

import anyio.to_thread
from inspect_ai._util.error import PrerequisiteError
from inspect_ai.model import ChatMessage, GenerateConfig, ModelAPI, ModelOutput, ModelUsage
from inspect_ai.tool import ToolChoice, ToolInfo

from seqniah_datasets import tokens
from seqniah_tasks.baselines import BASELINES, TOP_K


class BaselineAPI(ModelAPI):
    """The offline readers as models: `--model seqniah/<name>`."""

    def __init__(
        self,
        model_name: str,
        base_url: str | None = None,
        api_key: str | None = None,
        config: GenerateConfig | None = None,
        top_k: int = TOP_K,
        **unknown: object,
    ) -> None:
        super().__init__(model_name, base_url, api_key, [], config or GenerateConfig())
        if model_name not in BASELINES:
            known = ", ".join(f"seqniah/{name}" for name in BASELINES)
            raise PrerequisiteError(f"Unknown model 'seqniah/{model_name}'; known: {known}.")
        if unknown:
            raise PrerequisiteError(f"Unknown -M {', '.join(unknown)}; known: top_k.")
        if not isinstance(top_k, int) or isinstance(top_k, bool) or top_k < 1:
            raise PrerequisiteError(f"-M top_k= is a whole number from 1, not {top_k!r}.")
        self._reader, self._top_k = BASELINES[model_name], top_k

    async def generate(
        self,
        input: list[ChatMessage],
        tools: list[ToolInfo],
        tool_choice: ToolChoice,
        config: GenerateConfig,
    ) -> ModelOutput:
        """Read what the user said; counts are exact, in tokens of the default encoding."""
        prompt = "\n".join(one.text for one in input if one.role == "user")

        def read() -> tuple[str, int, int]:
            answer = self._reader(prompt, self._top_k)
            counter = tokens.tokenizer()
            seen = sum(counter.count(message.text) for message in input)
            return answer, seen, counter.count(answer)

        answer, seen, written = await anyio.to_thread.run_sync(read)
        output = ModelOutput.from_content(f"seqniah/{self.model_name}", answer)
        output.usage = ModelUsage(
            input_tokens=seen, output_tokens=written, total_tokens=seen + written
        )
        return output
