"""Makes the files of `made/` by pyarrow: `pip install pyarrow; python3 make.py`. They were made by 26.0.1."""

import os

import numpy
import pyarrow
import pyarrow.parquet

os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), "made"))


def write(name, columns, **how):
    pyarrow.parquet.write_table(pyarrow.table(columns), name + ".parquet", **how)


# A grid of two joints, in other columns than the model has them; "follow" mimics "lift".
row = numpy.arange(5000)
turn, lift = (row % 50) * 0.0625 - 1.5, ((row // 50) % 100 * 0.0078125).astype(numpy.float32)
grid = {"follow": 2.0 * lift.astype(float) + 0.25, "lift": lift, "t": row * 0.5, "turn": turn}
write("grid", grid, row_group_size=700, compression="zstd")
few = {name: column[:60] for name, column in grid.items()}
for kind in ["none", "snappy", "gzip", "lz4", "brotli"]:
    write(kind, few, compression=kind, use_dictionary=kind == "lz4", data_page_version="2.0")

ten = numpy.zeros(10)
mask = lambda *rows: numpy.isin(numpy.arange(10), rows)
turns = numpy.where(mask(5), numpy.nan, numpy.where(mask(8), 9.0, ten))
follows = pyarrow.array(ten + 0.25 + mask(9))
lifts = pyarrow.array(ten, mask=mask(3, 7))
gaps = {"turn": pyarrow.array(turns, mask=mask(3)), "lift": lifts, "follow": follows}
write("gaps", gaps)
write("text", {"turn": ["0.5"] * 3, "lift": [0.0] * 3})
write("whole", {"turn": [0, 1, 2], "lift": [0.0] * 3})
write("ragged", {"turn": [0.0] * 3, "lift": [[0.0], [0.0, 1.0], []]})
write("record", {"turn": [{"lift": 0.0}] * 3, "lift": [0.0] * 3})
write("missing", {"lift": [0.0] * 3})
write("misspelt", {"trun": [0.0] * 3, "lift": [0.0] * 3})
write("empty", {"turn": pyarrow.array([], "f8"), "lift": pyarrow.array([], "f8")})
many = 20_000_000
huge = {"turn": numpy.zeros(many), "lift": numpy.zeros(many)}
write("huge", huge, row_group_size=many, compression="zstd", max_rows_per_page=1 << 25)
