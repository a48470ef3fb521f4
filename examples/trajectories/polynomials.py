#!/usr/bin/env python3
"""Writes trajectories of toppra and ruckig as polynomials, which `elbowroom check --motion` proves.

    python3 polynomials.py toppra.json ruckig.json    # both move two joints, `shoulder` and `elbow`
    elbowroom check cell.toml --motion toppra.json --continuous

A file is a list of pieces, each with its duration in seconds and for each joint the coefficients by power of
the seconds since the piece began. A spline of toppra (`ParametrizeSpline`) is a cubic between its knots, and
ruckig keeps the jerk constant between its switching times, so both are written without an approximation.
toppra's `ParametrizeConstAccel` is no polynomial of degree five or less: sample it and fit a spline.
"""

import json
import sys


def from_cubic_spline(names, spline):
    """Pieces of a scipy spline, such as `trajectory.cspl` of toppra."""
    pieces = []
    for k, (begin, end) in enumerate(zip(spline.x[:-1], spline.x[1:])):
        # scipy has the highest power first.
        rows = spline.c[::-1, k, :].T
        rows = [[float(c) for c in row] for row in rows]
        pieces.append({"duration": float(end - begin), "coefficients": rows})
    return {"joint_names": list(names), "pieces": pieces}


def from_toppra(names, trajectory):
    """Pieces of a trajectory that toppra computed with `parametrizer="ParametrizeSpline"`."""
    return from_cubic_spline(names, trajectory.cspl)


def from_ruckig(names, trajectory):
    """Pieces of a ruckig trajectory: between the times at which the jerk of any joint changes."""
    times = {0.0, trajectory.duration}
    begin = 0.0
    ends = trajectory.intermediate_durations or [trajectory.duration]
    for section, end in zip(trajectory.profiles, ends):
        for profile in section:
            at = begin
            for seconds in list(profile.brake.t) + list(profile.t):
                at += seconds
                times.add(min(at, end))
        begin = end
    times = sorted(times)
    pieces = []
    for begin, end in zip(times[:-1], times[1:]):
        if end - begin < 1e-9:
            continue
        # The jerk is constant: two accelerations inside give it, and all else is known in the middle.
        quarter, middle = 0.25 * (end - begin), 0.5 * (begin + end)
        low, high = (trajectory.at_time(middle + side * quarter)[2] for side in (-1.0, 1.0))
        rows = []
        for p, v, a, a_low, a_high in zip(*trajectory.at_time(middle), low, high):
            j, h = (a_high - a_low) / (2.0 * quarter), begin - middle
            position = p + v * h + a * h**2 / 2 + j * h**3 / 6
            rows.append([position, v + a * h + j * h**2 / 2, (a + j * h) / 2, j / 6])
        pieces.append({"duration": end - begin, "coefficients": rows})
    return {"joint_names": list(names), "pieces": pieces}


def plan_with_toppra():
    import numpy as np
    import toppra
    import toppra.algorithm
    import toppra.constraint

    toppra.setup_logging("WARNING")
    path = toppra.SplineInterpolator([0.0, 1.0, 2.0], np.array([[0.0, 0.0], [0.5, -0.6], [1.0, -0.5]]))
    limits = [
        toppra.constraint.JointVelocityConstraint([1.0, 1.5]),
        toppra.constraint.JointAccelerationConstraint([2.0, 3.0]),
    ]
    return toppra.algorithm.TOPPRA(limits, path, parametrizer="ParametrizeSpline").compute_trajectory()


def plan_with_ruckig():
    import ruckig

    given = ruckig.InputParameter(2)
    given.current_position, given.target_position = [0.0, 0.0], [1.0, -0.5]
    # It starts at speed and too fast, so it brakes first.
    given.current_velocity, given.target_velocity = [0.2, -1.6], [0.0, 0.0]
    given.current_acceleration, given.target_acceleration = [0.0, 0.0], [0.0, 0.0]
    given.max_velocity, given.max_acceleration, given.max_jerk = [1.0, 1.5], [2.0, 3.0], [5.0, 8.0]
    trajectory = ruckig.Trajectory(2)
    result = ruckig.Ruckig(2).calculate(given, trajectory)
    if result not in (ruckig.Result.Working, ruckig.Result.Finished):
        raise SystemExit(f"ruckig: {result}")
    return trajectory


def main():
    names = ["shoulder", "elbow"]
    plans = [(from_toppra, plan_with_toppra), (from_ruckig, plan_with_ruckig)]
    for path, (write, plan) in zip(sys.argv[1:], plans):
        with open(path, "w", encoding="utf-8") as file:
            json.dump(write(names, plan()), file)


if __name__ == "__main__":
    main()
