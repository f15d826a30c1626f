"""A bot as a web service, with the standard library only: python3 web_bot.py [PORT]

Each request holds everything the bot needs to know:

    {"game": {"columns": 7, "rows": 6, "connect": 4, "pie": false}, "moves": [3, 3, 2],
     "board": [[0, 0, 0, 0, 0, 0, 0], ...], "you": 2, "limits": {"seconds": 2.0}, "seed": 17}

The board is its rows from the top: 0 is empty, 1 and 2 are the players. Columns count from 0.
"""

import json
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

PORT = 8765


def choose(question):
    """The free column that is nearest to the centre."""
    top = question["board"][0]
    free = [column for column, cell in enumerate(top) if cell == 0]
    return min(free, key=lambda column: abs(column - len(top) // 2))


class Bot(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"  # keeps the connection open between moves

    def do_POST(self):
        question = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        answer = json.dumps({"column": choose(question)}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, format, *args):
        pass


if __name__ == "__main__":
    port = int(sys.argv[1]) if len(sys.argv) > 1 else PORT
    server = ThreadingHTTPServer(("localhost", port), Bot)
    print(f"listening on http://localhost:{server.server_port}/move ; Ctrl-C stops it", flush=True)
    server.serve_forever()
