"""Checked by mypy: the types that users of the package see."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import tesuji

game: tesuji.Game = tesuji.open("connect-four")
state: tesuji.State = game.start()
legal: list[int] = state.legal_actions()
outcomes: list[tuple[int, float]] = state.chance_outcomes()
state.apply(legal[0])
state.apply([1])
state.apply({0: 1})
view: npt.NDArray[np.float32] = state.observation_tensor(0)
agent: tesuji.Agent = tesuji.agent("uct", game)
decision: tesuji.Decision = agent.choose(state, time=0.1)
action: int = decision.action
policy: dict[int, float] = decision.policy
env = tesuji.VectorEnv(game, 8)
observations, rewards, dones, masks = env.step(env.sample())
ended: npt.NDArray[np.bool_] = dones
result: tesuji.Results = tesuji.match(game, "uct", "random", matches=2)
value: float = tesuji.solve("tic-tac-toe")["value"]


def evaluation(observations: npt.NDArray[np.float32], players: npt.NDArray[np.int32]) -> npt.NDArray[np.float64]:
    return np.zeros(len(observations))


guided: tesuji.Agent = tesuji.agent("guided", game, evaluation=evaluation)
