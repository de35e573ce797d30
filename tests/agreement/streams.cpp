// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// std::cout with manipulators, std::cerr, std::endl.
#include <iomanip>
#include <iostream>
#include <string>
int main() {
  std::string s = "text";
  std::cout << "a" << 'b' << 1 << ' ' << -2L << ' ' << 3u << ' ' << 4.5 << ' ' << true << ' ' << s << std::endl;
  std::cout << std::hex << 255 << ' ' << std::showbase << 255 << ' ' << std::oct << 8 << std::dec << std::noshowbase
            << '\n';
  std::cout << std::setw(6) << 42 << '|' << std::left << std::setw(6) << 42 << '|' << std::right << std::setfill('*')
            << std::setw(7) << "abc" << '|' << std::internal << std::setw(7) << -5 << "|\n";
  std::cout << std::setprecision(3) << 3.14159 << ' ' << std::fixed << 2.5 << ' ' << std::scientific << 12345.678
            << std::defaultfloat << ' ' << 1e10 << '\n';
  std::cout << std::boolalpha << true << ' ' << false << ' ' << static_cast<short>(-7) << ' ' << 18446744073709551615ull
            << ' ' << std::string(3, 'z') << std::flush << '\n';
  std::cerr << "err\n";
  std::cout.put('!').write("xyz", 2) << std::endl;
  return 0;
}
