"""nanoGPT's configuration for a CPU, batch 12: 4 layers, 128 wide, 4 heads, context 64, tied output weights."""

from contest.layers import Add, Attend, Embed, Layer, RowNorm, Rows
from contest.task import SGD, Task

VOCABULARY, CONTEXT, WIDTH, HEADS, BLOCKS = 103, 64, 128, 4, 4


def block(n: int, below: str) -> tuple[Layer, ...]:
    """Attention and two linear maps, each normalized before and added to what came."""
    return (
        RowNorm(f"norm{n}a"),
        Rows(f"in{n}", 3 * WIDTH),
        Attend(f"attention{n}", HEADS),
        Rows(f"out{n}", WIDTH),
        Add(f"sum{n}a", other=below),
        RowNorm(f"norm{n}b"),
        Rows(f"wide{n}", 4 * WIDTH, neuron="gelu"),
        Rows(f"narrow{n}", WIDTH),
        Add(f"sum{n}b", other=f"sum{n}a"),
    )


TASK = Task(
    "gpt",
    "GPT of 4 layers, 128 wide, 4 heads, context 64, batch 12",
    batch=12,
    shape=(CONTEXT,),
    vocabulary=VOCABULARY,
    layers=(
        Embed("characters", VOCABULARY, WIDTH),
        *(layer for n in range(1, BLOCKS + 1) for layer in block(n, f"sum{n - 1}b" if n > 1 else "characters")),
        RowNorm("norm"),
        Rows("logits", VOCABULARY, tied="characters"),
    ),
    sgd=SGD(lr=0.002),
)
