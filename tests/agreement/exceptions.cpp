// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Exceptions: hierarchies, rethrow, nested, clean-ups, library classes, several bases.
#include <cstdio>
#include <new>
#include <stdexcept>
struct Guard {
  const char* n;
  ~Guard() { std::printf("~%s ", n); }
};
struct A {
  virtual ~A() = default;
  int a = 1;
};
struct B {
  virtual ~B() = default;
  int b = 2;
};
struct AB : A, B {};
struct Mine : std::runtime_error {
  int code;
  Mine(int c) : std::runtime_error("mine"), code(c) {}
};
static void thrower(int n) {
  Guard g{"g"};
  switch (n) {
    case 0: throw 5;
    case 1: throw AB();
    case 2: throw Mine(9);
    case 3: throw std::invalid_argument("bad");
    case 4: throw "text";
    case 5: throw std::bad_alloc();
    case 6: try { throw 1.5;
      } catch (...) {
        std::printf("inner ");
        throw;
      }
    default: throw static_cast<const A*>(nullptr);
  }
}
static int run(int n) {
  try {
    thrower(n);
  } catch (int i) {
    return i;
  } catch (const B& b) {
    return b.b * 10;
  } catch (const Mine& m) {
    std::printf("%s ", m.what());
    return m.code;
  } catch (const std::logic_error& e) {
    std::printf("%s ", e.what());
    return 40;
  } catch (const std::exception& e) {
    std::printf("%s ", e.what());
    return 50;
  } catch (double d) {
    return static_cast<int>(d * 4);
  } catch (const char* s) {
    std::printf("%s ", s);
    return 60;
  } catch (...) {
    return 70;
  }
  return 0;
}
int main() {
  for (int i = 0; i < 8; i++) std::printf("%d\n", run(i));
  try {
    try {
      throw Mine(1);
    } catch (std::exception& e) {
      std::printf("%s ", e.what());
      throw std::logic_error("second");
    }
  } catch (const std::logic_error& e) {
    std::printf("%s\n", e.what());
  }
  return 0;
}
