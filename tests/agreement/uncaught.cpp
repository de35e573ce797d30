// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An exception that nobody catches ends the program by abort.
#include <cstdio>
#include <stdexcept>
int main() {
  std::printf("before\n");
  std::fflush(stdout);
  throw std::runtime_error("nobody");
}
