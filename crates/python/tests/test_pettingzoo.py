"""Tesuji's games as PettingZoo and Gymnasium environments."""

from __future__ import annotations

import types
import warnings
from typing import Any

import numpy as np
import pytest
import tesuji
import tesuji.gymnasium
import tesuji.pettingzoo
from catalogue import SEVERAL, SIMULTANEOUS, opened
from pettingzoo.test import api_test, max_cycles_test, parallel_api_test, render_test, seed_test
from pettingzoo.test.seed_test import parallel_seed_test

# One short example of each game, and the unusual ones.
GAMES = [
    "tubstap(map=one-blow)",
    "tubstap-random(seed=2,width=5,height=4,units=2,hp=1-10,symmetry=mirror)",
    "dice7(size=5)",
    "einstein",
    "pig(10)",
    "sync-triomineering(3,3)",
    "sync-domineering",
    "triomineering(8,4)",
    "domineering",
    "goofspiel(5,ascending,points-difference)",
    "oshi-zumo(6,1,1)",
    "matrix(stag-hunt,bernoulli,10)",
    "rps-cards",
    "breakthrough(6,6)",
    "connect-four",
    "tic-tac-toe",
    "tree(three-players)",
    "tree(duel)",
    "gdl(pig-20)",
    "gdl(tron-6x6)",
    "gdl(three-player-tic-tac-toe)",
]
# What PettingZoo's tests warn about: dictionaries with masks are what it documents for such games.
QUIET = "Observation|Action mask|observation|Agent"


def test_every_game_for_several_players_is_here() -> None:
    names = {address.split("(")[0] for address in SEVERAL}
    assert names == {address.split("(")[0] for address in GAMES}


@pytest.mark.parametrize("address", GAMES)
def test_api(address: str) -> None:
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=QUIET)
        api_test(tesuji.pettingzoo.env(address), num_cycles=20, verbose_progress=False)


@pytest.mark.parametrize("address", GAMES)
def test_seeds(address: str) -> None:
    seed_test(lambda: tesuji.pettingzoo.env(address), num_cycles=10)


@pytest.mark.parametrize("address", GAMES)
def test_rendering(address: str) -> None:
    def make(render_mode: str) -> Any:
        return tesuji.pettingzoo.env(address, render_mode=render_mode)

    render_test(make, custom_tests={"svg": lambda picture: picture.startswith("<svg")})


@pytest.mark.parametrize("address", [address for address in GAMES if "simultaneous" in opened(address).features])
def test_parallel_api(address: str) -> None:
    parallel_api_test(tesuji.pettingzoo.parallel_env(address), num_cycles=30)


def test_parallel_seeds_and_cycles() -> None:
    """These tests of PettingZoo choose without masks: they fit games in which every action is always legal."""
    address = "matrix(rock-paper-scissors,repeat=100)"
    module = types.SimpleNamespace(
        env=lambda **options: tesuji.pettingzoo.env(address, **options),
        parallel_env=lambda **options: tesuji.pettingzoo.parallel_env(address, **options),
    )
    parallel_seed_test(module.parallel_env, num_cycles=50)
    max_cycles_test(module)


def test_nobody_sees_a_choice_that_is_not_revealed() -> None:
    for address in ("goofspiel(4)", "matrix", "gdl(tron-6x6)"):
        seen = []
        for choice in (0, -1):
            env = tesuji.pettingzoo.env(address)
            env.reset(seed=5)
            legal = np.flatnonzero(env.observe("player_0")["action_mask"])
            assert env.agent_selection == "player_0"
            env.step(int(legal[choice]))
            assert env.agent_selection == "player_1"
            seen.append(env.observe("player_1"))
        one, two = seen
        assert (one["observation"] == two["observation"]).all()
        assert (one["action_mask"] == two["action_mask"]).all()


def test_wrong_use() -> None:
    env = tesuji.pettingzoo.env("tic-tac-toe")
    env.reset()
    env.step(0)
    with pytest.raises(tesuji.Error, match="action 0 of player_1 is not legal"):
        env.step(0)
    with pytest.raises(tesuji.Error, match="players act in turn"):
        tesuji.pettingzoo.parallel_env("tic-tac-toe")
    with pytest.raises(tesuji.Error, match="no render mode"):
        tesuji.pettingzoo.env("tic-tac-toe", render_mode="film")
    parallel = tesuji.pettingzoo.parallel_env("matrix")
    parallel.reset()
    with pytest.raises(tesuji.Error, match="no action of player_1"):
        parallel.step({"player_0": 0})


SMALL_ARMIES = "tubstap-random(width=5,height=4,units=2)"


@pytest.mark.parametrize("address", ["connect-four", SMALL_ARMIES, "pig(10)", *SIMULTANEOUS[:3]])
def test_a_gymnasium_vector_environment(address: str) -> None:
    envs = tesuji.gymnasium.vector_env(address, 6, seat=1)
    observations, infos = envs.reset(seed=4)
    assert envs.observation_space.contains(observations)
    finals = 0
    for _ in range(80):
        actions = envs.sample()
        assert envs.action_space.contains(actions)
        assert infos["action_mask"][np.arange(6), actions].all() and (infos["player"] == 1).all()
        observations, rewards, terminations, truncations, infos = envs.step(actions)
        assert envs.observation_space.contains(observations) and rewards.shape == terminations.shape == (6,)
        assert not truncations.any() and (rewards[~terminations] == 0).all()
        if terminations.any():
            finals += 1
            assert (infos["_final_obs"] == terminations).all()
            assert infos["final_obs"].shape == observations.shape
    assert finals > 0
    envs.close()
    with pytest.raises(RuntimeError, match="closed"):
        envs.step(np.zeros(6, int))


def test_one_learner_on_all_seats() -> None:
    envs = tesuji.gymnasium.vector_env("tic-tac-toe", 32, seat=None)
    envs.reset(seed=1)
    total = 0.0
    for _ in range(40):
        _, rewards, _, _, _ = envs.step(envs.sample())
        total += float(rewards.sum())
    # The player who makes the last move has won, or the board is full.
    assert total > 0
    with pytest.raises(tesuji.Error, match="name the learner's seat"):
        tesuji.gymnasium.vector_env("goofspiel(3)", 2, seat=None)


def test_gymnasiums_wrappers_accept_it() -> None:
    from gymnasium.wrappers.vector import RecordEpisodeStatistics

    envs = RecordEpisodeStatistics(tesuji.gymnasium.vector_env("tic-tac-toe", 4))
    envs.reset(seed=1)
    ended = False
    for _ in range(12):
        *_, infos = envs.step(envs.unwrapped.sample())
        ended = ended or "episode" in infos
    assert ended
