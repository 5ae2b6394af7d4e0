"""Commands of HaystackCraft alone: index a folder of documents, and measure retrieval."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from seqniah_datasets import memory
from seqniah_datasets.articles import folder as layout
from seqniah_datasets.errors import SeqniahError
from seqniah_datasets.search import npz, strategies, vectors
from seqniah_datasets.search.embedding import KEY, Model, Server, Static
from seqniah_datasets.search.index import Index, Known, memory_needed
from seqniah_tasks.benchmarks.haystackcraft.bench import HaystackCraft
from seqniah_tasks.benchmarks.haystackcraft.collection import INDEX, collection
from seqniah_tasks.benchmarks.haystackcraft.options import PileOptions
from seqniah_tasks.commands.types import AsJson, Given, chosen, print_json, tell, values
from seqniah_tasks.terminal import progress_bar


def index(
    folder: Annotated[Path, typer.Argument(help="Documents in the published layout.")],
    out: Annotated[
        Path | None, typer.Option(help="Where the index is; the folder index in them.")
    ] = None,
    npz_files: Annotated[
        list[str] | None,
        typer.Option("--npz", help="Vectors of documents: .npz files, folders or patterns."),
    ] = None,
    queries: Annotated[
        list[str] | None,
        typer.Option(help="Vectors of questions, by their ids: .npz files, folders or patterns."),
    ] = None,
    embeddings: Annotated[
        str, typer.Option(help=f"An OpenAI-compatible server, http://HOST:PORT/v1; key in {KEY}.")
    ] = "",
    embedding_model: Annotated[str, typer.Option(help="The model to ask the server for.")] = "",
    model2vec: Annotated[
        str, typer.Option(help="A model2vec model: a folder, or a name on the hub.")
    ] = "",
    instruction: Annotated[
        str, typer.Option(help=r"What stands before a query, such as 'Instruct: ...\nQuery:'.")
    ] = "",
    characters: Annotated[
        int, typer.Option(min=0, help="At most so many of each document are encoded; 0: all.")
    ] = 0,
    max_connections: Annotated[
        int, typer.Option(min=1, max=64, help="Requests under way at once.")
    ] = 4,
    as_json: AsJson = False,
) -> None:
    """Index a folder's words and vectors; safe to break off and to repeat."""
    model = _model(embeddings, embedding_model, model2vec)
    files = npz.files(npz_files or ())
    if not folder.is_dir():
        raise SeqniahError(f"There is no folder {folder}; give one with docs.jsonl in it.")
    if model:
        model.encode(["A question?"])  # a server that is not there is told at once
    place = out or folder / INDEX
    memory.refuse_lacking(f"The folder {folder}", memory_needed(folder, place))
    library = layout.read_library(folder)
    made = Index(place, library)
    known = None
    if queries:
        asked = layout.read_questions(layout.question_files(folder), library)
        found = npz.of_all(npz.files(queries), [one.id for one in asked])
        known = Known([one.text for one in asked], found)
    made.make_words()
    source: vectors.Source | None = vectors.Published(files) if files else None
    if model and not files:
        source = vectors.Encoded(model, characters)
    if source:
        with progress_bar(counts="samples") as progress:
            workers = max_connections if not files else 1
            try:
                made.make_vectors(source, workers, progress)
            except KeyboardInterrupt:
                kept = "batches that are done are kept, and the same command goes on"
                typer.echo(f"seqniah: Interrupted; {kept}.", err=True)
                raise typer.Exit(130) from None
    if source or model or known:
        made.set_queries(model, instruction.replace("\\n", "\n"), known)
    facts = {"folder": str(made.folder), **made.facts()}
    if as_json:
        print_json(facts)
    else:
        for name, fact in facts.items():
            typer.echo(f"{name}: {fact}")


def _model(url: str, name: str, model2vec: str) -> Model | None:
    if url and model2vec:
        raise SeqniahError("--embeddings and --model2vec both make vectors; give one of them.")
    if bool(url) != bool(name):
        raise SeqniahError("A server is given by --embeddings URL and --embedding-model NAME.")
    if url:
        return Server(url, name)
    return Static(model2vec) if model2vec else None


def retrieval(given: Given = None, as_json: AsJson = False) -> None:
    """Print Recall and NDCG of the golds by hops, beside the paper's Tables 3 and 4.

    Unless told otherwise, of all questions, and of all strategies that the documents have parts of.
    """
    from seqniah_tasks import benchmarks
    from seqniah_tasks.benchmarks.haystackcraft import retrieval as measured

    told = values(given)
    spec = benchmarks.task("haystackcraft").spec
    unless: dict[str, object] = {"questions": 0}
    wanted: PileOptions = chosen(spec, told, unless)
    if wanted.edition == "paper":
        raise SeqniahError(
            "The piles of edition=paper are taken as they are, and nothing is searched; leave it "
            "out, or give the documents as corpus=FOLDER."
        )
    if not (told.get("strategy") or wanted.run or wanted.retriever):
        of = collection(wanted.corpus, wanted.seed, wanted.index)
        able = [
            name for name in strategies.STRATEGIES if of.dense or not strategies.needs_vectors(name)
        ]
        wanted = chosen(spec, told, {**unless, "strategy": able})
    bench = HaystackCraft(wanted)
    tell(as_json, measured.as_json, measured.show, bench, list(measured.rows(bench)))
