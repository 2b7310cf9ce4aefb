"""Play two agents and plot the win rate with its interval."""

import os

import matplotlib.pyplot as plt
import tesuji

matches = 20 if os.environ.get("TESUJI_QUICK") else 100
budgets = [10, 30, 100, 300]
game = tesuji.open("connect-four")

# UCT with more and more playouts against flat Monte Carlo with 100.
results = [
    tesuji.match(game, f"uct(playouts={budget})", "mc(playouts=100)", matches=matches, seed=budget)
    for budget in budgets
]
for budget, result in zip(budgets, results):
    low, high = result.interval
    print(f"{budget:4} playouts: win rate {result.win_rate:.2f}, 95 % interval {low:.2f} to {high:.2f}")

rates = [result.win_rate for result in results]
below = [result.win_rate - result.interval[0] for result in results]
above = [result.interval[1] - result.win_rate for result in results]
plt.errorbar(budgets, rates, yerr=[below, above], marker="o", capsize=4)
plt.axhline(0.5, color="grey", linewidth=1)
plt.xscale("log")
plt.xlabel("playouts of UCT")
plt.ylabel("win rate against mc(playouts=100)")
plt.title(f"Connect Four, {matches} matches each, 95 % interval")
plt.savefig("win_rate.png")

# The board after the first move of the strongest; a notebook draws it.
state = game.start()
state.apply(tesuji.agent("uct", game).choose(state, playouts=300, seed=1).action)
state
