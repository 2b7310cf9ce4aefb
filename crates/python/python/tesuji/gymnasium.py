"""Tesuji's games as Gymnasium vector environments.

>>> import tesuji.gymnasium
>>> envs = tesuji.gymnasium.vector_env("connect-four", 8)
>>> observations, infos = envs.reset(seed=1)
>>> observations.shape, infos["action_mask"].shape
((8, 3, 6, 7), (8, 7))
>>> observations, rewards, terminations, truncations, infos = envs.step(envs.sample())
>>> envs.close()

The learner has one seat; the other players choose uniformly at random. With `seat=None` it plays all seats: whoever is
to move acts, and a reward is the payoff of the player who acted.
"""

from __future__ import annotations

from typing import Any, Union

import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

import tesuji


class TesujiVectorEnv(VectorEnv[Any, Any, Any]):
    """Many matches of one game, stepped together in compiled code.

    The legal actions are in `infos["action_mask"]`. A match that ends begins anew in the same step: its last
    observation is in `infos["final_obs"]`, and `infos["_final_obs"]` says where.
    """

    metadata: dict[str, Any] = {"autoreset_mode": AutoresetMode.SAME_STEP, "render_modes": ["svg"]}

    def __init__(
        self,
        game: Union[tesuji.Game, str],
        num_envs: int,
        *,
        seat: Union[int, None] = 0,
        seed: int = 0,
        copy: bool = True,
    ) -> None:
        opened = tesuji.open(game) if isinstance(game, str) else game
        if seat is None and "simultaneous" in opened.features:
            raise tesuji.Error(f"in `{opened.name}` players act at once: name the learner's seat")
        self.game = opened
        self.num_envs = num_envs
        self._env = tesuji.VectorEnv(opened, num_envs, seed=seed, seat=seat, final_observations=True)
        self._seat = seat
        self._copy = copy
        self.single_observation_space = spaces.Box(-1.0, 1.0, opened.observation_shape, np.float32)
        self.single_action_space = spaces.Discrete(opened.num_actions)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)

    def _infos(self) -> dict[str, Any]:
        masks, players = self._env.masks, self._env.players
        return {"action_mask": masks.copy() if self._copy else masks, "player": players.copy()}

    def _observations(self) -> npt.NDArray[np.float32]:
        return self._env.observations.copy() if self._copy else self._env.observations

    def reset(
        self, *, seed: Union[int, None] = None, options: Any = None
    ) -> tuple[npt.NDArray[np.float32], dict[str, Any]]:
        self._env.reset(seed)
        return self._observations(), self._infos()

    def step(
        self, actions: npt.ArrayLike
    ) -> tuple[
        npt.NDArray[np.float32],
        npt.NDArray[np.float32],
        npt.NDArray[np.bool_],
        npt.NDArray[np.bool_],
        dict[str, Any],
    ]:
        actors = self._env.players.copy()
        _, rewards, dones, _ = self._env.step(actions)
        infos = self._infos()
        if dones.any():
            infos["final_obs"] = self._env.final_observations.copy()
            infos["_final_obs"] = dones.copy()
        columns = actors if self._seat is None else np.full(self.num_envs, self._seat)
        earned = rewards[np.arange(self.num_envs), columns]
        return self._observations(), earned, dones.copy(), np.zeros(self.num_envs, bool), infos

    def sample(self) -> npt.NDArray[np.int64]:
        """A uniformly random legal action for each match."""
        return self._env.sample().copy()

    def close(self, **_options: Any) -> None:
        self._env.close()


def vector_env(
    game: Union[tesuji.Game, str], num_envs: int, *, seat: Union[int, None] = 0, seed: int = 0, copy: bool = True
) -> TesujiVectorEnv:
    """A vector environment of `num_envs` matches.

    `seat` is the learner's; `None` plays all seats. Without `copy`, observations and masks are filled again by every
    step.
    """
    return TesujiVectorEnv(game, num_envs, seat=seat, seed=seed, copy=copy)
