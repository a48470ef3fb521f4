"""How fast `elbowroom sweep` is on this machine: each subcommand measures in turns and prints a table.

    python3 bench/sweeps/measure.py rates            # one thread, two threads, two processes
    python3 bench/sweeps/measure.py large            # 10^8 poses: seconds, memory, twenty kills, the bytes
    python3 bench/sweeps/measure.py small            # small jobs on all cores beside one thread
    python3 bench/sweeps/measure.py ranks            # two ranks of MPI beside one process
    python3 bench/sweeps/measure.py peers            # beside Pinocchio and Coal in a pool of processes

It runs target/release/elbowroom, or the program that $ELBOWROOM names; `ranks` needs one with the feature
mpi. Robots lie in $ELBOWROOM_DATA or ../shared. Files go to --folder, `large` needs nine gigabytes there.
`rates`, `large` and `peers` need numpy, and `peers` needs pin. Nothing else should run meanwhile.
"""

import argparse
import filecmp
import json
import multiprocessing
import os
import random
import re
import signal
import statistics
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
PROGRAM = os.environ.get("ELBOWROOM", os.path.join(ROOT, "target/release/elbowroom"))
ROBOTS = os.path.join(os.environ.get("ELBOWROOM_DATA", os.path.join(ROOT, "../shared")), "robots")
PANDA = "panda_vamp/panda.urdf"
DENSE_IIWA = "kuka_lbr_iiwa_7_r800_pr117/lbr_iiwa_7_r800.urdf"

# What `rates` asks: name, robot, geometry, rows, and the goal in poses a second on one thread.
RATES = [
    ("iiwa 7, hulls", "kuka_lbr_iiwa_7_r800_pr31/lbr_iiwa_7_r800.urdf", "hull", 10_000_000, 5e6),
    ("iiwa 7, dense hulls", DENSE_IIWA, "hull", 10_000_000, None),
    ("Panda, triangles", PANDA, "mesh", 5_000_000, 2e6),
]


def robot_path(robot):
    return os.path.join(ROBOTS, robot)


def write_poses(robot, path, rows):
    """Uniform poses within the limits of a robot, in float32, unless they are there."""
    import numpy

    told = subprocess.run([PROGRAM, "info", robot, "--json", "-"], capture_output=True, check=True).stdout
    values = json.loads(told.splitlines()[0])["values"]
    low = numpy.array([-3.14 if v["lower"] is None else v["lower"] for v in values])
    high = numpy.array([3.14 if v["upper"] is None else v["upper"] for v in values])
    # Numbers are rounded to float32, and must not leave the limits by that.
    low, width = low + 1e-6 * (high - low), (1 - 2e-6) * (high - low)
    if os.path.exists(path) and numpy.load(path, mmap_mode="r").shape == (rows, len(values)):
        return
    poses = numpy.lib.format.open_memmap(path, mode="w+", dtype="<f4", shape=(rows, len(values)))
    draw = numpy.random.default_rng(1)
    for start in range(0, rows, 1 << 20):
        count = min(1 << 20, rows - start)
        poses[start : start + count] = low + width * draw.random((count, len(values)), dtype="f4")
    poses.flush()


def start_sweep(arguments, **options):
    command = [PROGRAM, "sweep", *arguments, "--quiet"]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)


def finish_sweep(process):
    """Waits for a sweep: the seconds that it tells, and the rows."""
    said = process.communicate()[0]
    told = re.search(r"(\d+) rows in .*, (\d+) a second", said)
    if process.returncode not in (0, 1) or not told:
        raise RuntimeError(said)
    rows, rate = map(int, told.groups())
    return rows / rate, rows


def run_sweep(arguments):
    return finish_sweep(start_sweep(arguments))


def same_files(a, b):
    return filecmp.cmp(a, b, shallow=False)


def print_table(titles, rows):
    print("\n| " + " | ".join(titles) + " |\n|" + " --- |" + " ---: |" * (len(titles) - 1))
    for row in rows:
        print("| " + " | ".join(row) + " |", flush=True)


def million(rate):
    return f"{rate / 1e6:.2f}"


def measure_rates(options):
    table = []
    for name, robot, geometry, rows, goal in RATES:
        rows = options.rows or rows
        poses = os.path.join(options.folder, robot.split("/")[0] + ".npy")
        write_poses(robot_path(robot), poses, rows)
        common = [robot_path(robot), "--poses", poses, "--geometry", geometry]
        out = [os.path.join(options.folder, f"out{k}.npy") for k in (1, 2)]
        rates = {"one": [], "two": [], "processes": []}
        for _ in range(options.rounds):
            for key, path, threads in (("one", out[0], "1"), ("two", out[1], "2")):
                seconds, _ = run_sweep([*common, "--threads", threads, "--out", path])
                rates[key].append(rows / seconds)
            same = same_files(*out)
            alone = [*common, "--threads", "1"]
            parts = [start_sweep([*alone, "--part", f"{k + 1}/2", "--out", out[k]]) for k in (0, 1)]
            rates["processes"].append(rows / max(finish_sweep(part)[0] for part in parts))
            if not same:
                sys.exit(f"{name}: one thread and two wrote other bytes")
        one, two, processes = (statistics.median(rates[key]) for key in ("one", "two", "processes"))
        goal = f"{goal / 1e6:.0f}: {'met' if one >= goal else 'missed'}" if goal else "-"
        best = [million(max(rates[key])) for key in ("one", "two")]
        table.append([name, f"{million(one)} ({best[0]})", goal, f"{million(two)} ({best[1]})",
                      f"{two / one:.2f} x", million(processes)])
        print("  ".join(table[-1]), flush=True)
    print(f"\nmillion poses a second from .npy to .npy, --ask test; the median of {options.rounds} rounds in "
          "turns (the best); two threads against one: goal 1.9 x; one thread and two wrote the same bytes")
    titles = ["robot", "one thread", "goal", "two threads", "against one", "two processes, a part each"]
    print_table(titles, table)


def measure_large(options):
    robot, rows = robot_path(DENSE_IIWA), options.rows or 100_000_000
    names = ("large.npy", "whole.npy", "killed.npy")
    poses, whole, killed = (os.path.join(options.folder, name) for name in names)
    # In a process of its own: the system counts what this one holds as memory of those that it starts.
    maker = multiprocessing.get_context("spawn").Process(target=write_poses, args=(robot, poses, rows))
    maker.start()
    maker.join()
    common = [robot, "--poses", poses, "--geometry", "hull"]
    table = []
    for threads in ("1", "2"):
        process = start_sweep([*common, "--threads", threads, "--out", whole])
        said = process.stdout.read()
        _, status, used = os.wait4(process.pid, 0)
        if os.waitstatus_to_exitcode(status) not in (0, 1):
            raise RuntimeError(said)
        seconds = rows / int(re.search(r", (\d+) a second", said).group(1))
        table.append([f"{threads} thread{'s' if threads != '1' else ''}", f"{seconds:.1f}",
                      f"{used.ru_utime:.1f}", f"{used.ru_stime:.1f}", f"{used.ru_maxrss / 1024:.0f}"])
    print(f"\n{rows} poses of the iiwa with dense hulls, --ask test; goal: at most 1024 MiB")
    print_table(["", "seconds", "CPU seconds, program", "CPU seconds, system", "most memory (MiB)"], table)

    draw, kills, went_on, begun = random.Random(37), 0, 0, time.time()
    for ending in ("", ".json", ".partial", ".incomplete"):
        if os.path.exists(killed + ending):
            os.remove(killed + ending)
    # A sweep ends within the sum of the waits at the latest, so all are kept short enough for so many kills.
    longest = 1.6 * seconds / max(options.kills, 1)
    while not os.path.exists(killed):
        process = start_sweep([*common, "--out", killed])
        if kills < options.kills:
            time.sleep(draw.uniform(0.3, max(longest, 0.4)))
            if process.poll() is None:
                process.send_signal(signal.SIGKILL)
                kills += 1
        said = process.communicate()[0]
        went_on += "goes on after an interruption" in said
        if process.returncode not in (0, 1, -signal.SIGKILL):
            raise RuntimeError(said)
    same = same_files(killed, whole) and same_files(killed + ".json", whole + ".json")
    seconds = time.time() - begun
    print(f"\n{kills} kills at random moments, it went on {went_on} times, {seconds:.1f} s in all: "
          f"{'the same bytes' if same else 'OTHER BYTES'}")
    for path in (poses, whole, killed):
        for ending in ("", ".json"):
            if os.path.exists(path + ending):
                os.remove(path + ending)
    if not same:
        sys.exit(1)


def time_command(command, environment=None):
    begun = time.perf_counter()
    done = subprocess.run(command, capture_output=True, env={**os.environ, **(environment or {})})
    if done.returncode not in (0, 1):
        raise RuntimeError(done.stderr.decode())
    return time.perf_counter() - begun


def measure_small(options):
    panda, out = robot_path(PANDA), os.path.join(options.folder, "small.npy")
    jobs = [(f"check --ask {ask}, {count} samples", ["check", panda, "--random", str(count), "--ask", ask])
            for ask in ("distance", "test") for count in (1, 33, 64, 256, 1024, 4096)]
    jobs += [(f"sweep, {count} rows", ["sweep", panda, "--random", str(count), "--out", out])
             for count in (100, 4096, 8192, 20_000)]
    # A command that asks nothing: reading the robot and compiling its world, which rayon shares out.
    jobs += [("info: the world alone", ["info", panda])]
    table = []
    for name, words in jobs:
        times = {"all": [], "one": []}
        for _ in range(options.rounds):
            asks = words[0] != "info"
            quiet = ["--quiet"] if asks else []
            times["all"].append(time_command([PROGRAM, *words, *quiet]))
            one = [*quiet, "--threads", "1"] if asks else []
            environment = None if asks else {"RAYON_NUM_THREADS": "1"}
            times["one"].append(time_command([PROGRAM, *words, *one], environment))
        both, one = statistics.median(times["all"]), statistics.median(times["one"])
        table.append([name, f"{1e3 * both:.1f}", f"{1e3 * one:.1f}", f"{both / one:.2f}",
                      "" if both <= 1.05 * one else "slower"])
    print(f"\nmilliseconds of the whole command, the median of {options.rounds} rounds in turns; a ratio "
          "above 1.05 breaks the rule that nothing goes parallel by itself where that is slower")
    print_table(["Panda, triangles", "all cores", "one thread", "ratio", ""], table)


def measure_ranks(options):
    panda = robot_path(PANDA)
    out = [os.path.join(options.folder, f"ranks{k}.npy") for k in (1, 2)]
    two_ranks = ["mpirun", "--allow-run-as-root", "-n", "2"]
    table = []
    for ask, rows in (("distance", 2_000_000), ("test", 20_000_000)):
        ratios, seconds = [], [[], []]
        rows = options.rows or rows
        for _ in range(options.rounds):
            for k, before in enumerate(([], two_ranks)):
                words = ["sweep", panda, "--random", str(rows), "--ask", ask, "--threads", "1", "--quiet"]
                seconds[k].append(time_command([*before, PROGRAM, *words, "--out", out[k]]))
            ratios.append(seconds[0][-1] / seconds[1][-1])
            if not same_files(*out) or not same_files(out[0] + ".json", out[1] + ".json"):
                sys.exit("two ranks wrote other bytes than one process")
            for path in out:
                os.remove(path)
                os.remove(path + ".json")
        one, two = map(statistics.median, seconds)
        table.append([f"--ask {ask}, {rows} rows", f"{one:.2f}", f"{two:.2f}",
                      f"{statistics.median(ratios):.2f} x ({min(ratios):.2f} to {max(ratios):.2f})"])
        print("  ".join(table[-1]), flush=True)
    print(f"\nseconds of the whole command, a thread a rank, {options.rounds} rounds in turns, the same "
          "bytes; goal 1.85 x")
    print_table(["Panda, triangles", "one process", "two ranks", "faster"], table)


def measure_peers(options):
    panda, rows = robot_path(PANDA), options.rows or 100_000
    poses = os.path.join(options.folder, "peers.npy")
    write_poses(panda, poses, rows)
    pool = os.path.join(ROOT, "examples/sweeps/pinocchio_pool.py")
    path = {**os.environ, "PATH": os.path.dirname(os.path.abspath(PROGRAM)) + ":" + os.environ["PATH"]}
    rates = {}
    out = os.path.join(options.folder, "peers_out.npy")
    for _ in range(options.rounds):
        for count in ("1", "2"):
            seconds, _ = run_sweep([panda, "--poses", poses, "--threads", count, "--out", out])
            rates.setdefault(("elbowroom, .npy to .npy", count), []).append(rows / seconds)
            command = [sys.executable, pool, panda, poses, count]
            said = subprocess.run(command, capture_output=True, text=True, env=path, check=True).stdout
            rate = int(re.search(r"(\d+) poses a second", said).group(1))
            rates.setdefault(("Pinocchio and Coal in a pool", count), []).append(rate)
            print(said.splitlines()[0], flush=True)
    with open(out + ".json") as about:
        counts = json.load(about)["found"]["counts"]
    print(f"\nelbowroom: {counts[3]} of {rows} collide. Poses a second, the median of {options.rounds} "
          "rounds in turns (least to most)")
    names = dict.fromkeys(name for name, _ in rates)
    cell = lambda found: f"{statistics.median(found):,.0f} ({min(found):,.0f} to {max(found):,.0f})"
    print_table(["Panda, triangles", "one process", "two"],
                [[name, cell(rates[name, "1"]), cell(rates[name, "2"])] for name in names])


def main():
    raw = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=raw)
    parser.add_argument("what", choices=["rates", "large", "small", "ranks", "peers"])
    parser.add_argument("--folder", default=os.path.join(ROOT, "target/sweeps"), help="where files go")
    parser.add_argument("--rounds", type=int, help="5, of small jobs 21, of peers 3")
    parser.add_argument("--rows", type=int, help="other numbers of rows than these measurements have")
    parser.add_argument("--kills", type=int, default=20, help="of large")
    options = parser.parse_args()
    options.rounds = options.rounds or {"small": 21, "peers": 3}.get(options.what, 5)
    os.makedirs(options.folder, exist_ok=True)
    measure = {"rates": measure_rates, "large": measure_large, "small": measure_small, "ranks": measure_ranks,
               "peers": measure_peers}
    measure[options.what](options)


if __name__ == "__main__":
    main()
