"""The offline baselines behind an OpenAI-compatible endpoint, to rehearse runs for nothing."""

from seqniah_tasks.serve.faults import Faults
from seqniah_tasks.serve.reading import Counter
from seqniah_tasks.serve.running import running, serve

__all__ = ["Counter", "Faults", "running", "serve"]
