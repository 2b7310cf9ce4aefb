"""Tesuji's games as PettingZoo environments.

`env` is an environment in which agents act one after the other (AEC). `parallel_env` is one in which all act at once,
for games with simultaneous moves.

>>> import tesuji.pettingzoo
>>> env = tesuji.pettingzoo.env("connect-four")
>>> env.reset(seed=1)
>>> for agent in env.agent_iter():
...     observation, reward, termination, truncation, info = env.last()
...     ended = termination or truncation
...     env.step(None if ended else env.action_space(agent).sample(observation["action_mask"]))
>>> env.close()

An observation is a dictionary with the player's view (`observation`) and its legal actions (`action_mask`). The reward
at the end of a match is the player's payoff. Chance draws by itself, from the seed of `reset`.
"""

from __future__ import annotations

from typing import Any, Union

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv, ParallelEnv
from pettingzoo.utils import wrappers

import tesuji

RENDER_MODES = ["human", "ansi", "svg"]


class _Table:
    """A match with its spaces: what both kinds of environment share."""

    def __init__(self, game: Union[tesuji.Game, str], render_mode: Union[str, None]) -> None:
        self.game = tesuji.open(game) if isinstance(game, str) else game
        if render_mode is not None and render_mode not in RENDER_MODES:
            raise tesuji.Error(f"no render mode `{render_mode}`: expected one of {', '.join(RENDER_MODES)}")
        self.render_mode = render_mode
        count = self.game.num_actions
        self.agents = [f"player_{seat}" for seat in range(self.game.num_players)]
        view = spaces.Box(-1.0, 1.0, self.game.observation_shape, np.float32)
        mask = spaces.Box(0, 1, (count,), np.int8)
        self.observation_spaces = {
            agent: spaces.Dict({"observation": view, "action_mask": mask}) for agent in self.agents
        }
        self.action_spaces = {agent: spaces.Discrete(count) for agent in self.agents}
        self.state: Union[tesuji.State, None] = None
        self.random = np.random.default_rng()

    def reset(self, seed: Union[int, None]) -> None:
        if seed is not None or self.state is None:
            self.random = np.random.default_rng(seed)
        self.state = self.game.start()
        self.draw()

    def draw(self) -> None:
        """Lets chance draw until a player acts."""
        state = self.running()
        if state.is_chance_node():
            state.draw(int(self.random.integers(2**63)))

    def running(self) -> tesuji.State:
        if self.state is None:
            raise tesuji.Error("call `reset` before using the environment")
        return self.state

    def observe(self, seat: int, acts: bool) -> dict[str, Any]:
        state = self.running()
        mask = state.legal_mask(seat) if acts else np.zeros(self.game.num_actions, bool)
        return {"observation": state.observation_tensor(seat), "action_mask": mask.astype(np.int8)}

    def render(self) -> Union[str, None]:
        state = self.running()
        if self.render_mode == "svg":
            return state.to_svg()
        if self.render_mode == "human":
            print(state)
            return None
        return str(state)


class TesujiEnv(AECEnv):  # type: ignore[misc]
    """A game in which agents act one after the other.

    In a simultaneous step, agents choose in seat order, and nobody sees what the others have chosen.
    """

    def __init__(
        self,
        game: Union[tesuji.Game, str],
        render_mode: Union[str, None] = None,
        max_cycles: Union[int, None] = None,
    ) -> None:
        super().__init__()
        self._table = _Table(game, render_mode)
        self.render_mode = render_mode
        self.max_cycles = max_cycles
        self.possible_agents = list(self._table.agents)
        self.agents: list[str] = []
        self.metadata = {
            "render_modes": RENDER_MODES,
            "name": f"tesuji_{self.game.name}",
            "is_parallelizable": "simultaneous" in self.game.features,
        }
        self.observation_spaces = self._table.observation_spaces
        self.action_spaces = self._table.action_spaces

    @property
    def game(self) -> tesuji.Game:
        """The game."""
        return self._table.game

    def observation_space(self, agent: str) -> Any:
        return self._table.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        return self._table.action_spaces[agent]

    def reset(self, seed: Union[int, None] = None, options: Any = None) -> None:
        self._table.reset(seed)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._cycles = 0
        self._chosen: dict[int, int] = {}
        self._select()

    def _select(self) -> None:
        """The next agent who has to choose."""
        movers = self._table.running().movers()
        waiting = [seat for seat in movers if seat not in self._chosen]
        self.agent_selection = self.possible_agents[waiting[0] if waiting else 0]

    def _acts(self, seat: int) -> bool:
        over = any(self.terminations.values()) or any(self.truncations.values())
        return not over and seat in self._table.running().movers() and seat not in self._chosen

    def observe(self, agent: str) -> dict[str, Any]:
        seat = self.possible_agents.index(agent)
        return self._table.observe(seat, self._acts(seat))

    def step(self, action: Union[int, None]) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        state, seat = self._table.running(), self.possible_agents.index(agent)
        number = -1 if action is None else int(action)
        if number not in state.legal_actions(seat):
            legal = state.legal_actions(seat)
            raise tesuji.Error(f"action {action} of {agent} is not legal: expected one of {legal[:20]}")
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self._chosen[seat] = number
        movers = state.movers()
        if all(mover in self._chosen for mover in movers):
            state.apply([self._chosen[mover] for mover in movers])
            self._chosen = {}
            self._cycles += 1
            self._table.draw()
            if state.is_terminal():
                self.rewards = dict(zip(self.possible_agents, state.returns()))
                self.terminations = dict.fromkeys(self.agents, True)
            elif self.max_cycles is not None and self._cycles >= self.max_cycles:
                self.truncations = dict.fromkeys(self.agents, True)
        if state.is_terminal() or any(self.truncations.values()):
            self.agent_selection = self.possible_agents[0]
        else:
            self._select()
        self._accumulate_rewards()

    def render(self) -> Union[str, None]:
        return self._table.render()

    def state(self) -> Any:
        """The view of the first player, who sees everything but choices that are still open."""
        return self._table.running().observation_tensor(0)

    def close(self) -> None:
        pass


class TesujiParallelEnv(ParallelEnv):  # type: ignore[misc]
    """A game in which all agents act at once. The action of a player who does not act in a step is ignored."""

    def __init__(
        self,
        game: Union[tesuji.Game, str],
        render_mode: Union[str, None] = None,
        max_cycles: Union[int, None] = None,
    ) -> None:
        super().__init__()
        self._table = _Table(game, render_mode)
        if "simultaneous" not in self.game.features:
            raise tesuji.Error(f"in `{self.game.name}` players act in turn: use `env` instead of `parallel_env`")
        self.render_mode = render_mode
        self.max_cycles = max_cycles
        self.possible_agents = list(self._table.agents)
        self.agents: list[str] = []
        self.metadata = {"render_modes": RENDER_MODES, "name": f"tesuji_{self.game.name}"}
        self.observation_spaces = self._table.observation_spaces
        self.action_spaces = self._table.action_spaces

    @property
    def game(self) -> tesuji.Game:
        """The game."""
        return self._table.game

    def observation_space(self, agent: str) -> Any:
        return self._table.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        return self._table.action_spaces[agent]

    def _observations(self, over: bool) -> dict[str, dict[str, Any]]:
        movers = [] if over else self._table.running().movers()
        return {agent: self._table.observe(seat, seat in movers) for seat, agent in enumerate(self.possible_agents)}

    def reset(
        self, seed: Union[int, None] = None, options: Any = None
    ) -> tuple[dict[str, dict[str, Any]], dict[str, dict[str, Any]]]:
        self._table.reset(seed)
        self.agents = list(self.possible_agents)
        self._cycles = 0
        return self._observations(False), {agent: {} for agent in self.agents}

    def step(
        self, actions: dict[str, int]
    ) -> tuple[
        dict[str, dict[str, Any]], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]
    ]:
        if not self.agents:
            return {}, {}, {}, {}, {}
        state = self._table.running()
        joint = []
        for seat in state.movers():
            agent = self.possible_agents[seat]
            if agent not in actions:
                raise tesuji.Error(f"no action of {agent}, who acts in this step")
            joint.append(int(actions[agent]))
        state.apply(joint)
        self._cycles += 1
        self._table.draw()
        over = state.is_terminal()
        cut = not over and self.max_cycles is not None and self._cycles >= self.max_cycles
        rewards = state.returns() if over else [0.0] * len(self.possible_agents)
        agents = self.possible_agents
        if over or cut:
            self.agents = []
        return (
            self._observations(over or cut),
            dict(zip(agents, rewards)),
            dict.fromkeys(agents, over),
            dict.fromkeys(agents, cut),
            {agent: {} for agent in agents},
        )

    def render(self) -> Union[str, None]:
        return self._table.render()

    def close(self) -> None:
        pass


def raw_env(
    game: Union[tesuji.Game, str], render_mode: Union[str, None] = None, max_cycles: Union[int, None] = None
) -> TesujiEnv:
    """The environment without PettingZoo's wrappers."""
    return TesujiEnv(game, render_mode, max_cycles)


def env(
    game: Union[tesuji.Game, str], render_mode: Union[str, None] = None, max_cycles: Union[int, None] = None
) -> Any:
    """An environment in which agents act one after the other.

    `render_mode` is `human` (prints the board), `ansi` (the board as text) or `svg`. `max_cycles` ends a match after so
    many steps.
    """
    return wrappers.OrderEnforcingWrapper(raw_env(game, render_mode, max_cycles))


def parallel_env(
    game: Union[tesuji.Game, str], render_mode: Union[str, None] = None, max_cycles: Union[int, None] = None
) -> TesujiParallelEnv:
    """An environment in which all agents act at once, for games with simultaneous moves."""
    return TesujiParallelEnv(game, render_mode, max_cycles)
