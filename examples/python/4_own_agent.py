"""Write an agent in Python and enter it in a tournament."""

import os

import tesuji


class Greedy:
    """Wins at once if it can, else avoids to let the opponent win at once, else plays the middle column."""

    name = "greedy"

    def choose(self, state: tesuji.State, player: int) -> int:
        def wins(state: tesuji.State, mover: int) -> list[int]:
            return [action for action in state.legal_actions() if state.child(action).returns()[mover] == 1]

        if winning := wins(state, player):
            return winning[0]
        safe = [action for action in state.legal_actions() if not wins(state.child(action), 1 - player)]
        return min(safe or state.legal_actions(), key=lambda column: abs(column - 3))


matches = 10 if os.environ.get("TESUJI_QUICK") else 50
table = tesuji.tournament("connect-four", [Greedy(), "uct(playouts=200)", "mc(playouts=50)", "random"], matches)
print(table.to_pandas()[["first", "second", "wins", "draws", "losses", "win_rate", "interval_low", "interval_high"]])
for rating in table["ratings"][0]["ratings"]:
    print(rating)
