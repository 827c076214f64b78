"""An agent for `sandtable run --agent "python3 my_agent.py"`, in plain Python (docs/agents.md).

Copy it and write your own `decide`. Over HTTP: `python3 my_agent.py --http 8000`, then `--agent http://127.0.0.1:8000`.
"""

import json
import sys


class Desk:
    """What a decision can do: call tools, and look at what came back."""

    def __init__(self, exchange):
        self._exchange = exchange
        self._calls = 0

    def call(self, tool, **arguments):
        """Calls a tool and returns its answer, a dict; what could not be done has `error` and `remediation`."""
        self._calls += 1
        message = {"type": "call", "id": self._calls, "tool": tool, "arguments": arguments}
        return self._exchange(message)["result"]


def decide(observation, desk):
    """Buys what closed above its average of five bars, sells what closed below; returns why, in a few words."""
    said = []
    table = observation.get("table")  # From six symbols on, in place of "symbols": rows of symbol, close and more.
    bars = {row[0]: row[1] and {"close": row[1]} for row in table["rows"]} if table else observation["symbols"]
    for symbol, bar in bars.items():
        answer = desk.call("compute", code="df.close.tail(5).mean() if len(df) >= 5 else None", symbol=symbol)
        average = answer.get("result")
        if average is None or bar is None:
            continue
        held = symbol in observation["account"]["positions"]
        if bar["close"] > average and not held:
            answer = desk.call("trade_execute", symbol=symbol, action="buy", quantity=10)
        elif bar["close"] < average and held:
            answer = desk.call("trade_execute", symbol=symbol, action="close")
        else:
            continue
        said.append(f"{symbol}: {answer.get('error', 'ordered')}")
    return "; ".join(said)


def serve_stdio():
    """One message a line: whatever else is printed has to go to stderr."""

    def exchange(message):
        print(json.dumps(message), flush=True)
        return json.loads(sys.stdin.readline())

    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "decide":
            done = {"type": "done", "id": message["id"], "text": decide(message["observation"], Desk(exchange))}
            print(json.dumps(done), flush=True)
        elif message["type"] == "bye":
            return


def serve_http(port):
    """Each message is a POST, and the answer's body is the next message: `decide` runs in a thread between them."""
    import http.server
    import queue
    import threading

    inbox, outbox = queue.Queue(), queue.Queue()

    def exchange(message):
        outbox.put(message)
        return inbox.get()

    def work(asked):
        outbox.put({"type": "done", "id": asked["id"], "text": decide(asked["observation"], Desk(exchange))})

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_POST(self):
            message = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            if message["type"] == "decide":
                threading.Thread(target=work, args=(message,), daemon=True).start()
            elif message["type"] == "result":
                inbox.put(message)
            answer = outbox.get() if message["type"] in ("decide", "result") else {}
            body = json.dumps(answer).encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        log_message = lambda *_: None  # Quiet.

    http.server.HTTPServer(("127.0.0.1", port), Handler).serve_forever()


if __name__ == "__main__":
    if sys.argv[1:2] == ["--http"]:
        serve_http(int(sys.argv[2]))
    else:
        serve_stdio()
