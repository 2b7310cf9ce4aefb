"""Tesuji's games inside OpenSpiel.

Importing this module registers every game for two or more players with OpenSpiel 2.0, as ``tesuji_`` and its name with
underscores:

>>> import pyspiel
>>> import tesuji.openspiel
>>> game = pyspiel.load_game("tesuji_connect_four(rows=6,columns=8)")
>>> state = game.new_initial_state()
>>> state.apply_action(3)
>>> len(state.legal_actions())
8

Python algorithms of OpenSpiel run on them as on its own games. So do those C++ algorithms that walk the tree, such as
its CFR solvers. Its C++ ``MCTSBot`` does not: it crashes on every game that is written in Python, also on OpenSpiel's
own. Use ``open_spiel.python.algorithms.mcts`` or Tesuji's agents instead.
"""

from __future__ import annotations

from typing import Any, Mapping, Union

import numpy as np
import pyspiel
from open_spiel.python.observation import IIGObserverForPublicInfoGame

import tesuji

PREFIX = "tesuji_"


def short_name(game: str) -> str:
    """The name of a game in OpenSpiel."""
    return PREFIX + game.replace("-", "_")


def _typed(text: str) -> Union[int, float, str]:
    """A value as OpenSpiel types it: a number if it looks like one.

    A text that only begins like a number, such as `6-10`, gets an underscore: OpenSpiel could not read it back.
    """
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            pass
    return f"_{text}" if text[:1] in "0123456789+-." and text else text


def _address(info: Mapping[str, Any], parameters: Mapping[str, Any]) -> str:
    """The address of a game with OpenSpiel's parameters; defaults are left out."""
    parts = []
    for parameter in info["parameters"]:
        name, default = parameter["name"], parameter["default"]
        value = str(parameters.get(name, default)).removeprefix("_")
        if value != default:
            quoted = f'"{value}"' if any(c in value for c in ',"()= ') else value
            parts.append(f"{name}={quoted}")
    return f"{info['name']}({','.join(parts)})" if parts else str(info["name"])


def _game_type(info: Mapping[str, Any], game: tesuji.Game, specification: dict[str, Any]) -> Any:
    features = set(game.features)
    kinds = pyspiel.GameType
    low, high = game.payoffs
    if "general-sum" in features or game.num_players != 2:
        utility = kinds.Utility.GENERAL_SUM
    elif low + high == 0:
        utility = kinds.Utility.ZERO_SUM
    else:
        utility = kinds.Utility.CONSTANT_SUM
    return kinds(
        short_name=short_name(info["name"]),
        long_name=f"Tesuji {info['name']}",
        dynamics=kinds.Dynamics.SIMULTANEOUS if "simultaneous" in features else kinds.Dynamics.SEQUENTIAL,
        chance_mode=kinds.ChanceMode.EXPLICIT_STOCHASTIC if "chance" in features else kinds.ChanceMode.DETERMINISTIC,
        information=kinds.Information.PERFECT_INFORMATION,
        utility=utility,
        reward_model=kinds.RewardModel.TERMINAL,
        max_num_players=game.num_players,
        min_num_players=game.num_players,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=specification,
    )


def _game_info(game: tesuji.Game) -> Any:
    low, high = game.payoffs
    constant = game.num_players == 2 and "general-sum" not in game.features
    return pyspiel.GameInfo(
        num_distinct_actions=game.num_actions,
        max_chance_outcomes=game.num_outcomes,
        num_players=game.num_players,
        min_utility=low,
        max_utility=high,
        utility_sum=low + high if constant else None,
        max_game_length=max(game.max_steps, 1),
    )


class TesujiState(pyspiel.State):  # type: ignore[misc]
    """A state of one of Tesuji's games."""

    def __init__(self, game: Any, state: tesuji.State) -> None:
        super().__init__(game)
        self.tesuji_state = state

    def current_player(self) -> Any:
        return self.tesuji_state.current_player()

    def _legal_actions(self, player: int) -> list[int]:
        return self.tesuji_state.legal_actions(player)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return self.tesuji_state.chance_outcomes()

    def _apply_action(self, action: int) -> None:
        self.tesuji_state.apply(action)

    def _apply_actions(self, actions: list[int]) -> None:
        self.tesuji_state.apply([actions[player] for player in self.tesuji_state.movers()])

    def _action_to_string(self, player: int, action: int) -> str:
        return self.tesuji_state.action_to_string(action, player)

    def is_terminal(self) -> bool:
        return self.tesuji_state.is_terminal()

    def returns(self) -> list[float]:
        return self.tesuji_state.returns()

    def __str__(self) -> str:
        return self.tesuji_state.to_text()


class _Observer:
    """What a player sees, as OpenSpiel's observers give it."""

    def __init__(self, game: tesuji.Game) -> None:
        self.tensor = np.zeros(int(np.prod(game.observation_shape)), np.float32)
        self.dict = {"observation": self.tensor.reshape(game.observation_shape)}

    def set_from(self, state: TesujiState, player: int) -> None:
        state.tesuji_state.observation_tensor(player, out=self.dict["observation"])

    def string_from(self, state: TesujiState, player: int) -> str:
        return state.tesuji_state.to_text()


def _game_class(info: Mapping[str, Any], specification: dict[str, Any]) -> type:
    class TesujiGame(pyspiel.Game):  # type: ignore[misc]
        """One of Tesuji's games."""

        def __init__(self, params: Union[Mapping[str, Any], None] = None) -> None:
            self.tesuji_game = tesuji.open(_address(info, params or {}))
            kind = _game_type(info, self.tesuji_game, specification)
            given = {name: _typed(value) if isinstance(value, str) else value for name, value in (params or {}).items()}
            super().__init__(kind, _game_info(self.tesuji_game), given)

        def new_initial_state(self, state: Union[str, None] = None) -> TesujiState:
            game = self.tesuji_game
            return TesujiState(self, game.start() if state is None else game.state(state))

        def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Any:
            if iig_obs_type is None or (iig_obs_type.public_info and not iig_obs_type.perfect_recall):
                return _Observer(self.tesuji_game)
            return IIGObserverForPublicInfoGame(iig_obs_type, params)

    name = short_name(info["name"])
    TesujiGame.__name__ = TesujiGame.__qualname__ = name
    # Pickle finds classes by their names.
    globals()[name] = TesujiGame
    return TesujiGame


def register() -> list[str]:
    """Registers all games that are not registered yet; returns the names of all."""
    known = set(pyspiel.registered_names())
    names = []
    for info in tesuji.games():
        name = short_name(info["name"])
        game = tesuji.open(info["name"])
        if game.num_players < 2:
            continue
        names.append(name)
        if name not in known:
            specification = {
                parameter["name"]: _typed(parameter["default"])
                for parameter in info["parameters"]
                if parameter["default"] is not None
            }
            pyspiel.register_game(_game_type(info, game, specification), _game_class(info, specification))
    return names


NAMES = register()
