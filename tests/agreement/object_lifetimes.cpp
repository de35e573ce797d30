// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Statics, local statics, thread_local, order of destruction, placement new, arrays.
#include <cstdio>
#include <new>
struct Noise {
  const char* n;
  Noise(const char* s) : n(s) { std::printf("+%s ", n); }
  ~Noise() { std::printf("-%s ", n); }
};
static Noise global("global");
static Noise& local() {
  static Noise n("local");
  return n;
}
thread_local Noise mine("thread");
struct Pair {
  Noise a{"a"}, b{"b"};
};
int main() {
  std::printf("main ");
  local();
  local();
  std::printf("%s ", mine.n);
  {
    Pair p;
  }
  Noise* v = new Noise[2]{{"x"}, {"y"}};
  delete[] v;
  alignas(Noise) unsigned char raw[sizeof(Noise)];
  Noise* p = new (raw) Noise("raw");
  p->~Noise();
  std::printf("end\n");
  return 0;
}
