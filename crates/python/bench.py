"""Speeds of the Python package, beside those of OpenSpiel's wheel in one run.

    python crates/python/bench.py [--seconds 2] [--program target/release/tesuji]

Everything runs on one thread. Each figure is the best of three measurements, and rivals take turns. Build the wheel
with optimisation first: `crates/python/check --profile release`.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import threading
import time
from random import Random
from typing import Any, Callable

import numpy as np
import tesuji

ROUNDS = 3


def rate(work: Callable[[], int], seconds: float) -> float:
    """How much `work` does in a second."""
    done, begun = 0, time.perf_counter()
    while time.perf_counter() - begun < seconds:
        done += work()
    return done / (time.perf_counter() - begun)


def vector(address: str, n: int, choose: str, **options: Any) -> Callable[[], int]:
    """Steps of a vector environment with random legal actions."""
    env = tesuji.VectorEnv(address, n, seed=1, **options)
    rng = np.random.default_rng(1)

    def sampled() -> int:
        env.step(env.sample())
        return n

    def by_numpy() -> int:
        # The choice is made in NumPy, from the masks.
        draws = rng.random(env.masks.shape, dtype=np.float32)
        env.step(np.where(env.masks, draws, -1).argmax(axis=1))
        return n

    return sampled if choose == "sample" else by_numpy


def tesuji_loop() -> Callable[[], int]:
    """Matches of Connect Four, one Python call at a time."""
    game, random = tesuji.open("connect-four"), Random(1).random

    def play() -> int:
        state = game.start()
        while not state.is_terminal():
            legal = state.legal_actions()
            state.apply(legal[int(random() * len(legal))])
        return 1

    return play


def tesuji_steps() -> Callable[[], int]:
    """The same with `step`, which returns the next legal actions."""
    game, random = tesuji.open("connect-four"), Random(1).random

    def play() -> int:
        state = game.start()
        legal = state.legal_actions()
        while legal:
            legal = state.step(legal[int(random() * len(legal))])
        return 1

    return play


def openspiel_loop() -> Callable[[], int]:
    """The same in OpenSpiel."""
    import pyspiel

    game, random = pyspiel.load_game("connect_four"), Random(1).random

    def play() -> int:
        state = game.new_initial_state()
        while not state.is_terminal():
            legal = state.legal_actions()
            state.apply_action(legal[int(random() * len(legal))])
        return 1

    return play


def search() -> Callable[[], int]:
    """Playouts of a search that is called from Python: UCT against itself, 10,000 playouts a decision."""
    game = tesuji.open("connect-four")
    agent, state = tesuji.agent("uct", game), [game.start()]

    def decide() -> int:
        if state[0].is_terminal():
            state[0] = game.start()
        decision = agent.choose(state[0], playouts=10_000)
        state[0].apply(decision.action)
        return decision.playouts

    return decide


def command_line(program: str, seconds: float) -> float:
    """The same, measured by `tesuji bench`."""
    command = [program, "bench", "connect-four", "--json", "--seconds", f"{seconds}s"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return float(json.loads(done.stdout)["uct_playouts_per_second"])


def overlap(seconds: float) -> float:
    """Two searches in two threads, as a multiple of one search: 2 on two free cores, 1 if they block each other."""
    game = tesuji.open("connect-four")

    def one() -> int:
        return tesuji.agent("uct", game).choose(game.start(), time=seconds).playouts

    alone, both = one(), [0, 0]

    def run(place: int) -> None:
        both[place] = one()

    threads = [threading.Thread(target=run, args=(place,)) for place in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return sum(both) / alone


def main() -> None:
    parser = argparse.ArgumentParser(description="Speeds of the Python package, beside OpenSpiel's.")
    parser.add_argument("--seconds", type=float, default=2.0, help="seconds for each measurement")
    parser.add_argument("--program", help="the program `tesuji`, to compare searches with")
    options = parser.parse_args()
    works: dict[str, Callable[[], int]] = {
        "VectorEnv, Connect Four, 1024 matches, sample(), steps/s": vector("connect-four", 1024, "sample"),
        "VectorEnv, Connect Four, 1024 matches, NumPy from masks, steps/s": vector("connect-four", 1024, "numpy"),
        "VectorEnv, TUBSTAP, 256 matches, sample(), steps/s": vector("tubstap", 256, "sample"),
        "VectorEnv, TUBSTAP six-arms, 256 matches, sample(), steps/s": vector("tubstap(map=six-arms)", 256, "sample"),
        "Python loop, Connect Four, matches/s": tesuji_loop(),
        "Python loop with step(), Connect Four, matches/s": tesuji_steps(),
        "OpenSpiel, Python loop, Connect Four, matches/s": openspiel_loop(),
        "uct in Connect Four from Python, playouts/s": search(),
    }
    best = dict.fromkeys(works, 0.0)
    for _ in range(ROUNDS):
        for name, work in works.items():
            best[name] = max(best[name], rate(work, options.seconds))
    for name, figure in best.items():
        print(f"{name:70} {figure:>12,.0f}")
    loop, steps, theirs = (best[name] for name in works if "Python loop" in name)
    print(f"{'Python loop against OpenSpiel: times as many matches':70} {loop / theirs:>12.2f}")
    print(f"{'the same with step()':70} {steps / theirs:>12.2f}")
    if options.program:
        figure = max(command_line(os.path.abspath(options.program), options.seconds) for _ in range(ROUNDS))
        print(f"{'uct in Connect Four from the command line, playouts/s':70} {figure:>12,.0f}")
    print(f"{'two searches in two threads, as a multiple of one':70} {overlap(options.seconds):>12.2f}")


if __name__ == "__main__":
    main()
