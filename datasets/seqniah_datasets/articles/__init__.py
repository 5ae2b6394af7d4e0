"""Linked articles: what search engines look through, and what haystacks are piled up of."""
