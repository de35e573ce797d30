// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Templates, operators, lambdas, constexpr, fold expressions, structured bindings.
#include <array>
#include <cstdio>
#include <tuple>
#include <utility>
template <class T, int n>
struct Vec {
  T v[n]{};
  T& operator[](int i) { return v[i]; }
  Vec operator+(const Vec& o) const {
    Vec r;
    for (int i = 0; i < n; i++) r.v[i] = v[i] + o.v[i];
    return r;
  }
  template <class F>
  void each(F f) {
    for (T& x : v) f(x);
  }
};
template <class... A>
auto sum(A... a) {
  return (a + ... + 0);
}
constexpr int fact(int n) { return n < 2 ? 1 : n * fact(n - 1); }
struct Matrix {
  int m[2][2];
  Matrix operator*(const Matrix& o) const {
    Matrix r{};
    for (int i = 0; i < 2; i++)
      for (int j = 0; j < 2; j++)
        for (int k = 0; k < 2; k++) r.m[i][j] += m[i][k] * o.m[k][j];
    return r;
  }
};
int main() {
  Vec<int, 3> a{{1, 2, 3}}, b{{10, 20, 30}};
  auto c = a + b;
  c.each([](int& x) { x *= 2; });
  std::printf("%d %d %d\n", c[0], c[1], c[2]);
  constexpr int f = fact(10);
  auto [x, y] = std::pair(3, 4.5);
  auto t = std::make_tuple(1, 'z', 2.5);
  std::printf("%d %d %g %c %g\n", sum(1, 2, 3, f), x, y, std::get<1>(t), std::get<2>(t));
  Matrix m{{{1, 1}, {1, 0}}}, r{{{1, 0}, {0, 1}}};
  for (int i = 0; i < 20; i++) r = r * m;
  std::array<int, 4> z{4, 3, 2, 1};
  int k = 0;
  auto count = [k]() mutable { return ++k; };
  count();
  std::printf("%d %d %d\n", r.m[0][1], z[1], count());
  return 0;
}
