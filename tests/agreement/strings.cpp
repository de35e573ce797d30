// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// std::string: short and long, growing, searching, comparing, errors.
#include <cstdio>
#include <stdexcept>
#include <string>
int main() {
  std::string a = "short", b(40, 'x'), c = a + " and " + b;
  c += std::to_string(12345);
  c.insert(3, "INS");
  c.erase(10, 4);
  c.replace(0, 3, "a longer beginning");
  std::printf("%s %zu\n", c.c_str(), c.size());
  std::printf("%zu %zu %zu %zu %zu %d\n", c.find("ning"), c.find('x'), c.rfind('x'), c.find_first_of("xyz"),
              c.find_last_not_of("0123456789"), c.find("none") == std::string::npos);
  std::printf("%d %d %d %d\n", a < b, a == "short", a.compare("shorter") < 0, c.compare(0, 1, "a") == 0);
  std::string d = c.substr(2, 6), e;
  e.reserve(100);
  for (int i = 0; i < 60; i++) e.push_back(static_cast<char>('a' + i % 26));
  e.resize(70, '-');
  e.resize(65);
  std::printf("%s %s %zu\n", d.c_str(), e.c_str(), e.capacity());
  try {
    a.at(9);
  } catch (const std::out_of_range& x) {
    std::printf("%s\n", x.what());
  }
  std::swap(a, b);
  a.append(b, 1, 3).append(2, '!');
  std::printf("%s %s\n", a.c_str(), b.c_str());
  a = b;
  b.clear();
  b.assign("again and again and again and again");
  std::printf("%s %s %d\n", a.c_str(), b.c_str(), std::stoi("77") + b.empty());
  return 0;
}
