"""The loop "model writes, tutor answers": a model writes a rule sheet until the tutor has no objection.

usage: python3 loop.py RULEBOOK.md RULEBOOK.examples -- MODEL…
MODEL is a program that reads a prompt and prints a rule sheet. `TESUJI` names the program tesuji.
"""
import json, os, pathlib, subprocess, sys

ROUNDS = 8
split = sys.argv.index("--")
(prose, examples), model = sys.argv[1:split], sys.argv[split + 1:]
prompt = "Write these rules in the Game Description Language:\n\n" + pathlib.Path(prose).read_text()
for round in range(1, ROUNDS + 1):
    sheet = subprocess.run(model, input=prompt, capture_output=True, text=True, check=True).stdout
    tutor = [os.environ.get("TESUJI", "tesuji"), "--json", "gdl", "tutor", "-", "--examples", examples]
    answer = subprocess.run(tutor, input=sheet, capture_output=True, text=True)
    if not answer.stdout:
        sys.exit(answer.stderr)
    verdict = json.loads(answer.stdout)
    print(f"round {round}: " + ("agrees" if verdict["agree"] else verdict["message"]))
    if verdict["agree"]:
        sys.exit(0)
    prompt = f"{sheet}\n\nThis sheet is wrong. Repair it.\n\n{verdict['message']}"
sys.exit(f"no right sheet after {ROUNDS} rounds")
