"""Games and states: the boundary between Python and the rules."""

from __future__ import annotations

import copy
import pickle
import random

import numpy as np
import pytest
import tesuji
from catalogue import EXAMPLES, PLAYABLE, opened


def random_step(state: tesuji.State, rng: random.Random) -> None:
    if state.is_chance_node():
        outcomes, weights = zip(*state.chance_outcomes())
        state.apply(rng.choices(outcomes, weights)[0])
    else:
        state.apply([rng.choice(state.legal_actions(player)) for player in state.movers()])


@pytest.mark.parametrize("address", EXAMPLES)
def test_every_game_describes_itself(address: str) -> None:
    game = opened(address)
    assert len(game.players) == game.num_players
    assert int(np.prod(list(game.action_fields.values()))) == game.num_actions
    assert len(game.observation_planes) == game.observation_shape[0]
    assert pickle.loads(pickle.dumps(game)) == game
    parts = game.action_parts(game.num_actions - 1)
    assert parts == {name: size - 1 for name, size in game.action_fields.items()}


@pytest.mark.parametrize("address", PLAYABLE)
def test_a_random_match_of_every_game(address: str) -> None:
    game, rng = opened(address), random.Random(1)
    state = game.start()
    buffer = np.empty(game.observation_shape, np.float32)
    for step in range(40):
        assert state.returns() == [0.0] * game.num_players
        for player in state.movers():
            legal = state.legal_actions(player)
            assert legal == sorted(set(legal)) and legal
            assert np.flatnonzero(state.legal_mask(player)).tolist() == legal
            for action in legal[:5]:
                text = state.action_to_string(action, player)
                assert state.string_to_action(text, player) == action
        for player in range(game.num_players):
            assert state.observation_tensor(player, out=buffer) is buffer
            assert (state.observation_tensor(player) == buffer).all()
        if step % 8 == 0:
            for twin in (
                game.state(state.to_text()),
                pickle.loads(pickle.dumps(state)),
                copy.deepcopy(state),
                state.clone(),
            ):
                assert twin == state and hash(twin) == hash(state) and twin.to_text() == state.to_text()
            assert state.to_svg().startswith("<svg") and str(state)
        if state.is_chance_node():
            assert abs(sum(share for _, share in state.chance_outcomes()) - 1) < 1e-9
        before = state.clone()
        random_step(state, rng)
        assert state != before
        if state.is_terminal():
            break
    state.play_out(seed=3)
    assert state.is_terminal() and state.current_player() == tesuji.TERMINAL
    low, high = game.payoffs
    assert all(low <= payoff <= high for payoff in state.returns())
    assert state.legal_actions() == [] and state.chance_outcomes() == []


def test_a_unit_of_tubstap_has_parts() -> None:
    game = tesuji.open("tubstap(map=six-arms)")
    assert list(game.action_fields) == ["unit", "destination", "target"]
    state = game.start()
    width = game.observation_shape[2]
    numbers = game.observation_planes.index("own unit number")
    places = state.observation_tensor(0)[numbers]
    for action in state.legal_actions():
        parts = game.action_parts(action)
        row, column = divmod(parts["destination"], width)
        text = state.action_to_string(action)
        # The text names the destination as a letter and a number.
        assert f"{chr(97 + column)}{row + 1}" in text
        assert np.isclose(places.max(), 1.0)


def test_simultaneous_steps_take_sequences_and_dictionaries() -> None:
    game = tesuji.open("matrix(matching-pennies)")
    one, two = game.start(), game.start()
    one.apply([0, 1])
    two.apply({0: 0, 1: 1})
    assert one == two and one.is_terminal() and one.returns() == [-1.0, 1.0]


def test_a_step_returns_the_next_legal_actions() -> None:
    for address in ("connect-four", "pig(10)", "tubstap(map=one-blow)"):
        state, rng = opened(address).start(), random.Random(3)
        legal = state.legal_actions()
        while legal:
            twin = state.child(choice := rng.choice(legal))
            legal = state.step(choice)
            assert state == twin and legal == twin.legal_actions()
        assert state.is_terminal()
    with pytest.raises(tesuji.Error, match="not legal"):
        opened("connect-four").start().step(9)


def test_errors_say_what_was_expected() -> None:
    game = tesuji.open("connect-four")
    state = game.start()
    with pytest.raises(tesuji.Error, match="did you mean `connect-four`") as raised:
        tesuji.open("conect-four")
    assert raised.value.kind == "UnknownGame"
    for wrong in (7, 99, -1, 2**31, 2**40):
        with pytest.raises((tesuji.Error, OverflowError), match="not legal|too large|out of range"):
            state.apply(wrong)
    with pytest.raises(TypeError, match="whole number"):
        state.apply("a")
    with pytest.raises(TypeError, match="whole number"):
        state.apply(1.5)
    with pytest.raises(tesuji.Error, match="got 2 action"):
        state.apply([1, 2])
    with pytest.raises(IndexError, match="expected 0 to 1"):
        state.observation_tensor(2)
    with pytest.raises(tesuji.Error, match="expected the shape"):
        state.observation_tensor(0, out=np.zeros(3, np.float32))
    with pytest.raises(TypeError):
        state.observation_tensor(0, out=np.zeros(game.observation_shape))  # type: ignore[arg-type]
    with pytest.raises(tesuji.Error):
        game.state("no such state")
    with pytest.raises(tesuji.Error, match="expected a state of"):
        tesuji.agent("random", game).choose(tesuji.open("connect-four(6,8)").start())
    assert state == game.start(), "refused actions change nothing"


def test_the_interpreter_is_refused_with_a_clear_word() -> None:
    game = tesuji.open("gdl(tic-tac-toe,engine=interpreter)")
    with pytest.raises(tesuji.Error, match=r"does not number its actions[\s\S]*engine=network"):
        game.start()
    with pytest.raises(tesuji.Error, match="does not number its actions"):
        tesuji.VectorEnv(game, 3)
    # It still plays matches by address.
    assert tesuji.match(game, "mc", "random", matches=2, playouts=5)["matches"] == 2


def test_playouts_of_many_states() -> None:
    game = tesuji.open("tic-tac-toe")
    won = game.state("xx./oo./...")
    means, steps = tesuji.playouts([game.start(), won], each=2000, seed=1)
    assert means.shape == (2, 2) and steps > 4000
    assert np.allclose(means.sum(axis=1), 1.0)
    # The first player wins about 0.59 and draws about 0.13 of random matches.
    assert abs(means[0, 0] - 0.65) < 0.03
    with pytest.raises(tesuji.Error, match="expected a state of"):
        tesuji.playouts([game.start(), tesuji.open("pig").start()])


def test_laws_hold() -> None:
    assert tesuji.open("pig(10)").check_laws(2)["matches"] >= 30


def test_numbers_are_stable() -> None:
    """Numbers are part of what users store: these may never change."""
    state = tesuji.open("breakthrough").start()
    assert state.legal_actions()[:4] == [25, 26, 27, 28]
    assert state.action_to_string(25) == state.action_to_string(state.legal_actions()[0])
    assert tesuji.open("einstein").num_outcomes == 726
    assert tesuji.open("goofspiel(4,descending)").start().legal_actions(0) == [0, 1, 2, 3]
