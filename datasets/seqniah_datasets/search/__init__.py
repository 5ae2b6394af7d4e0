"""Search over a library: sparse, dense and fused engines, PageRank, and other engines' runs."""
