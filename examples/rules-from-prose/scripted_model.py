"""A scripted model for tests: it prints the right sheet with faults, and repairs the fault that the prompt points at.

usage: python3 scripted_model.py REFERENCE.kif
"""
import pathlib, sys

right = pathlib.Path(sys.argv[1]).read_text()
prompt = sys.stdin.read()
FAULTS = [  # what is right, what the model writes, a word of the message that makes it see the fault
    ("(not (taken ?column ?row)))", "(index ?column))", "(legal o (place 1 1))"),
    ("(<= (goal o 0) (line x))", "(<= (goal o 0) (line o))", "o has 0"),
    ("(<= terminal (not room))", "", "terminal"),
]
sheet = prompt.partition("\n\nThis sheet is wrong.")[0] if "This sheet is wrong." in prompt else right
for good, bad, word in FAULTS:
    message = prompt.partition("This sheet is wrong.")[2]
    if not message:
        sheet = sheet.replace(good, bad or "; nothing here", 1)
    elif word in message.partition("\n\n")[2].split("expected:")[1].split("\n\n")[0]:
        sheet = sheet.replace(bad or "; nothing here", good, 1)
        break
print(sheet)
