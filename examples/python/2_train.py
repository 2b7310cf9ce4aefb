"""Train a small policy with REINFORCE on Tic-Tac-Toe, against a random player."""

import os

import numpy as np
import tesuji

steps = 400 if os.environ.get("TESUJI_QUICK") else 3000
n, hidden = 256, 64
env = tesuji.VectorEnv("tic-tac-toe", n, seat=0, seed=1)
inputs, actions = int(np.prod(env.game.observation_shape)), env.game.num_actions
rng = np.random.default_rng(1)
weights = [rng.normal(0, 0.3, (inputs, hidden)), rng.normal(0, 0.1, (hidden, actions))]


def policy(views, masks):
    """The hidden layer, and the probability of each legal action."""
    layer = np.maximum(views.reshape(len(views), -1) @ weights[0], 0)
    logits = np.where(masks, layer @ weights[1], -np.inf)
    shares = np.exp(logits - logits.max(axis=1, keepdims=True))
    return layer, shares / shares.sum(axis=1, keepdims=True)


observations, masks = env.reset(seed=1)
# The decisions of the match that each environment is playing; a match has at most five.
memory = [[] for _ in range(n)]
baseline, scores = 0.5, []
for step in range(steps):
    views = observations.copy()
    layer, shares = policy(views, masks)
    choices = (shares.cumsum(axis=1) > rng.random((n, 1))).argmax(axis=1)
    # The gradient of the log-probability of a choice, by logit.
    gradients = -shares
    gradients[np.arange(n), choices] += 1
    for place in range(n):
        memory[place].append((views[place].ravel(), layer[place], gradients[place]))
    observations, rewards, dones, masks = env.step(choices)
    for place in np.flatnonzero(dones):
        reward = float(rewards[place, 0])
        scores.append(reward)
        advantage = 0.02 * (reward - baseline)
        for view, hidden_layer, gradient in memory[place]:
            back = (weights[1] @ gradient) * (hidden_layer > 0)
            weights[1] += advantage * np.outer(hidden_layer, gradient)
            weights[0] += advantage * np.outer(view, back)
        memory[place] = []
    if dones.any():
        baseline = 0.95 * baseline + 0.05 * float(rewards[dones, 0].mean())

first, last = np.mean(scores[:1000]), np.mean(scores[-1000:])
print(f"{len(scores)} matches; mean payoff of the first 1000: {first:.3f}, of the last 1000: {last:.3f}")
assert last > first + 0.1
