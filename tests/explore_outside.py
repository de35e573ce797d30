#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`heddle explore` of a program that gets bytes from a server, which sends them in pieces of its own choice.

    tests/explore_outside.py --heddle build/release/heddle

The server answers each connection with as many bytes in all, cut at random places, with random pauses between. Two
threads of the program fetch them and count calls of recv: whatever the server does, the search has to come to its end
with the same executions as for a server that sends all at once. The last line is `N passed, M failed`.
"""
import argparse
import pathlib
import random
import re
import socket
import subprocess
import sys
import tempfile
import threading
import time

import limits

SECONDS = limits.seconds(120)
BYTES = 3000

PROGRAM = """
#include <arpa/inet.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/socket.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int port, calls, bytes, first;
static void *fetch(void *unused) {
  struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  int s = socket(AF_INET, SOCK_STREAM, 0);
  if (connect(s, (struct sockaddr *)&to, sizeof to) != 0) exit(3);
  char buffer[4096];
  ssize_t got;
  while ((got = recv(s, buffer, sizeof buffer, 0)) > 0) {
    pthread_mutex_lock(&m);
    calls++;
    bytes += got;
    pthread_mutex_unlock(&m);
  }
#ifdef RACY
  first = got;
#endif
  return unused;
}
int main(int argc, char **argv) {
  port = atoi(argv[1]);
  pthread_t a, b;
  pthread_create(&a, 0, fetch, 0);
  pthread_create(&b, 0, fetch, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return bytes != 6000;
}
"""


class Server:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.socket = socket.create_server(("127.0.0.1", 0), backlog=256)
        self.port = self.socket.getsockname()[1]
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        while True:
            try:
                connection, _ = self.socket.accept()
            except OSError:
                return
            threading.Thread(target=self.answer, args=(connection,), daemon=True).start()

    def answer(self, connection):
        cuts = sorted(self.random.sample(range(1, BYTES), 3)) if self.random.random() < 0.3 else []
        try:
            for begin, end in zip([0, *cuts], [*cuts, BYTES]):
                connection.sendall(b"x" * (end - begin))
                if cuts:
                    time.sleep(self.random.choice((0, 0.001)))
            connection.close()
        except OSError:
            pass

    def close(self):
        self.socket.close()


def explore(args, folder, seed, flags):
    server = Server(seed)
    source = pathlib.Path(folder) / "fetch.c"
    source.write_text(PROGRAM)
    done = subprocess.run([args.heddle, "explore", "--timeout", str(int(SECONDS)), *flags, source, "--", str(server.port)],
                          cwd=folder, capture_output=True, text=True, timeout=SECONDS + 30, check=False)
    server.close()
    verdict = re.search(r"verdict: (\S+)", done.stdout)
    executions = re.search(r"(\d+) executions", done.stdout)
    return verdict and verdict[1], executions and executions[1], done.stdout + done.stderr


def main():
    p = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    p.add_argument("--heddle", required=True)
    args = p.parse_args()
    args.heddle = str(pathlib.Path(args.heddle).resolve())
    passed = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        seen = set()
        for seed in range(2):
            verdict, executions, text = explore(args, folder, seed, [])
            seen.add((verdict, executions))
            is_right = verdict == "race-free" and len(seen) == 1
            passed, failed = passed + is_right, failed + (not is_right)
            if not is_right:
                print(f"FAIL server {seed}: {sorted(seen, key=str)}\n{text}")
        verdict, _, text = explore(args, folder, 9, ["--flag=-DRACY"])
        passed, failed = passed + (verdict == "race"), failed + (verdict != "race")
        if verdict != "race":
            print(f"FAIL a race: {verdict}\n{text}")
    print(f"{passed} passed, {failed} failed")
    sys.exit(failed != 0)


if __name__ == "__main__":
    main()
