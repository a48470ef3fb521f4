"""A sweep on a cluster of Ray: `python3 ray_sweep.py cell.toml poses.npy reach.npy [PARTS]`.

Each part is a task that runs the program `elbowroom` where Ray has a core free. World, poses and answers lie
in a folder that all machines see. At the end the parts are joined; parts that are missing or do not belong
together are refused. Needs `pip install ray`.
"""

import os
import subprocess
import sys

import ray


def run_program(arguments):
    """Runs elbowroom. Exit code 1 says that some poses collide, which is what a sweep is run to find out."""
    done = subprocess.run(["elbowroom", "sweep", *arguments, "--quiet"], capture_output=True, text=True)
    if done.returncode not in (0, 1):
        raise RuntimeError(done.stderr)
    return done.stdout


@ray.remote(num_cpus=1, max_retries=3)
def answer_part(world, poses, out, number, count):
    """Answers one part. A task that runs again goes on where it was."""
    run_program([world, "--poses", poses, "--part", f"{number}/{count}", "--threads", "1", "--out", out])
    return out


def main():
    world, poses, out, *rest = sys.argv[1:]
    world, poses, out = (os.path.abspath(path) for path in (world, poses, out))
    ray.init()
    count = int(rest[0]) if rest else 4 * int(ray.cluster_resources()["CPU"])
    stem, ending = os.path.splitext(out)
    parts = [f"{stem}.{number}{ending}" for number in range(1, count + 1)]
    tasks = [answer_part.remote(world, poses, part, k + 1, count) for k, part in enumerate(parts)]
    ray.get(tasks)
    print(run_program(["--merge", *parts, "--out", out]), end="")
    for part in parts:
        os.remove(part)
        os.remove(part + ".json")


if __name__ == "__main__":
    main()
