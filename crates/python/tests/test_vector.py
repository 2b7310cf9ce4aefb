"""Vector environments."""

from __future__ import annotations

import numpy as np
import pytest
import tesuji
from catalogue import FIRST, PLAYABLE, opened


@pytest.mark.parametrize("address", PLAYABLE)
def test_a_batch_of_every_game(address: str) -> None:
    game, n = opened(address), 3
    env = tesuji.VectorEnv(game, n, seed=7, final_observations=True)
    joint = "simultaneous" in game.features
    rows = (n, game.num_players) if joint else (n,)
    observations, masks = env.reset(seed=3)
    assert observations.shape == rows + game.observation_shape and masks.shape == rows + (game.num_actions,)
    players = env.players
    for _ in range(30):
        actions = env.sample()
        assert actions.shape == rows and players.shape == rows
        acting = players >= 0
        assert acting.any(axis=-1).all() if joint else acting.all()
        assert np.take_along_axis(masks, actions[..., None], -1)[..., 0][acting].all()
        assert not masks[~acting].any() and masks[acting].any(axis=-1).all()
        result = env.step(actions)
        # The arrays are the same ones again and again.
        assert result[0] is observations and result[1] is env.rewards and result[3] is masks
        low, high = game.payoffs
        assert (env.rewards[~env.dones] == 0).all()
        assert ((env.rewards >= low - 1e-6) & (env.rewards <= high + 1e-6))[env.dones].all()
        assert (np.abs(observations) <= 1).all() and (np.abs(env.final_observations) <= 1).all()
    env.close()


@pytest.mark.parametrize("address", FIRST)
def test_equal_seeds_give_equal_matches(address: str) -> None:
    one, two = (tesuji.VectorEnv(opened(address), 4, seed=11) for _ in range(2))
    for _ in range(25):
        assert (one.observations == two.observations).all() and (one.masks == two.masks).all()
        one.step(one.sample())
        two.step(two.sample())
        assert (one.rewards == two.rewards).all() and (one.dones == two.dones).all()


def test_a_batch_plays_as_states_do() -> None:
    game = tesuji.open("connect-four")
    env = tesuji.VectorEnv(game, 5, seed=2)
    states = [game.start() for _ in range(5)]
    ended = 0
    for _ in range(120):
        actions = env.sample().copy()
        env.step(actions)
        for place, state in enumerate(states):
            state.apply(int(actions[place]))
            assert env.dones[place] == state.is_terminal()
            if state.is_terminal():
                ended += 1
                assert env.rewards[place].tolist() == state.returns()
                states[place] = state = game.start()
            assert env.players[place] == state.current_player()
            assert (env.observations[place] == state.observation_tensor()).all()
            assert (env.masks[place] == state.legal_mask()).all()
    assert ended > 5


def test_one_seat_against_random_players() -> None:
    for address in ("connect-four", "goofspiel(4)", "gdl(three-player-tic-tac-toe)"):
        env = tesuji.VectorEnv(address, 16, seed=1, seat=1, final_observations=True)
        done = 0
        for _ in range(60):
            assert (env.players == 1).all() and env.masks.any(axis=1).all()
            env.step(env.sample())
            done += int(env.dones.sum())
        assert done > 0 and env.masks.ndim == 2


def test_actions_of_any_integer_type_and_layout() -> None:
    env = tesuji.VectorEnv("tic-tac-toe", 4)
    for actions in ([0, 1, 2, 3], np.array([8, 7, 6, 5], np.int8), np.arange(8, dtype=np.int64)[::2] % 4 * 0 + 4):
        env.step(actions)
    assert env.masks[0].sum() == 6


def test_wrong_actions_change_nothing() -> None:
    env = tesuji.VectorEnv("tic-tac-toe", 3)
    env.step([0, 1, 2])
    before = env.observations.copy()
    with pytest.raises(tesuji.Error, match="action 1 of o is not legal in match 1"):
        env.step([4, 1, 4])
    with pytest.raises(tesuji.Error, match="action -1"):
        env.step([-1, 0, 0])
    with pytest.raises(tesuji.Error, match=r"expected.*shape \[3\].*got the shape \[2\]|shape \[3\]"):
        env.step([0, 0])
    with pytest.raises(TypeError, match="whole numbers"):
        env.step([0.0, 0.0, 0.0])
    with pytest.raises(TypeError, match="whole numbers"):
        env.step("abc")
    assert (env.observations == before).all() and not env.dones.any()
    env.step([4, 4, 4])


def test_a_closed_environment_says_so() -> None:
    with tesuji.VectorEnv("tic-tac-toe", 2) as env:
        env.step(env.sample())
    assert env.closed
    for call in (env.sample, env.reset, lambda: env.step([0, 0])):
        with pytest.raises(RuntimeError, match="closed"):
            call()


def test_wrong_sizes() -> None:
    with pytest.raises(tesuji.Error, match="at least 1"):
        tesuji.VectorEnv("tic-tac-toe", 0)
    with pytest.raises(tesuji.Error, match="do not fit in memory"):
        tesuji.VectorEnv("tic-tac-toe", 2**50)
    with pytest.raises((OverflowError, TypeError)):
        tesuji.VectorEnv("tic-tac-toe", -1)
    with pytest.raises(IndexError, match="expected 0 to 1"):
        tesuji.VectorEnv("tic-tac-toe", 1, seat=2)
    with pytest.raises(TypeError, match="must be a Game or an address"):
        tesuji.VectorEnv(3, 1)  # type: ignore[arg-type]
    with pytest.raises(tesuji.Error, match="blue does not act in"):
        tesuji.VectorEnv("tubstap(map=one-blow)", 1, seat=1)
    with pytest.raises(tesuji.Error, match="over before the first step"):
        tesuji.VectorEnv("sync-domineering(1,2)", 1)


def test_arrays_can_be_left_out() -> None:
    env = tesuji.VectorEnv("connect-four", 2, observations=False, masks=False)
    assert env.observations is None and env.masks is None and env.final_observations is None
    for _ in range(50):
        env.step(env.sample())


def test_an_array_that_was_locked_is_refused() -> None:
    env = tesuji.VectorEnv("connect-four", 2)
    env.masks.setflags(write=False)
    with pytest.raises(tesuji.Error, match="masks"):
        env.step(env.sample())
    env.masks.setflags(write=True)
    env.step(env.sample())
