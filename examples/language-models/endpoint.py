#!/usr/bin/env python3
"""A chat endpoint without a model, to try `llm` with: it picks a legal action at random, and sometimes answers badly.

Start it:  python3 examples/language-models/endpoint.py --port 8080
Play:      tesuji match tic-tac-toe 'llm(model=scripted)' random --matches 4 --store models.db
Look:      tesuji models models.db
"""
import argparse
import json
import random
import ssl
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


def answer(messages, rng, bad):
    """An answer to a prompt of Tesuji: thoughts, then the line that counts."""
    prompt = messages[1]["content"]
    legal = prompt.partition("Your legal actions:\n")[2].partition("\n\n")[0].splitlines() or ["a1"]
    action = rng.choice(legal)
    if rng.random() < bad:
        return rng.choice([f"I would play {action}.", "ACTION: z99", f"ACTION: {action}\nACTION: {legal[0]}"])
    return f"Any action is as good as another.\nACTION: {action}"


class Endpoint(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        request = json.loads(self.rfile.read(int(self.headers["content-length"])))
        said = " ".join(message["content"] for message in request["messages"])
        # Equal requests get equal answers.
        text = answer(request["messages"], random.Random(said), self.server.bad)
        body = json.dumps({
            "object": "chat.completion",
            "choices": [{"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}],
            "usage": {"prompt_tokens": len(said) // 4, "completion_tokens": len(text) // 4},
        }).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--port", type=int, default=8080)
    parser.add_argument("--bad", type=float, default=0.1, help="the share of answers that do not count")
    parser.add_argument("--certificate", help="serve https with this certificate and its private key (PEM)")
    parser.add_argument("--private-key")
    options = parser.parse_args()
    server = ThreadingHTTPServer(("127.0.0.1", options.port), Endpoint)
    server.bad = options.bad
    if options.certificate:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(options.certificate, options.private_key)
        server.socket = context.wrap_socket(server.socket, server_side=True)
    scheme = "https" if options.certificate else "http"
    print(f"listening on {scheme}://127.0.0.1:{server.server_port}/v1", flush=True)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        pass
