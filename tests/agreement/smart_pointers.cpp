// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// unique_ptr, shared_ptr, weak_ptr, move semantics, std::function, std::optional, std::variant.
#include <cstdio>
#include <functional>
#include <memory>
#include <optional>
#include <variant>
#include <vector>
struct Loud {
  int n;
  explicit Loud(int v) : n(v) { std::printf("+%d ", n); }
  Loud(const Loud& o) : n(o.n + 100) { std::printf("c%d ", n); }
  Loud(Loud&& o) noexcept : n(o.n) {
    o.n = 0;
    std::printf("m%d ", n);
  }
  ~Loud() { std::printf("-%d ", n); }
};
int main() {
  {
    auto u = std::make_unique<Loud>(1);
    auto w = std::move(u);
    std::printf("%d ", u == nullptr);
    std::shared_ptr<Loud> a = std::make_shared<Loud>(2), b = a;
    std::weak_ptr<Loud> k = a;
    std::printf("%ld ", a.use_count());
    a.reset();
    b.reset();
    std::printf("%d\n", k.expired());
  }
  {
    std::vector<Loud> v;
    v.reserve(4);
    v.emplace_back(3);
    v.push_back(Loud(4));
    v.push_back(v[0]);
  }
  std::printf("\n");
  int base = 10;
  std::function<int(int)> f = [&](int x) { return x + base; };
  base = 20;
  std::function<int(int)> g = f;
  std::printf("%d %d\n", g(1), f ? 1 : 0);
  std::optional<int> o;
  std::printf("%d ", o.value_or(7));
  o = 5;
  std::variant<int, double> x = 2.5;
  std::printf("%d %g %zu\n", *o, std::get<double>(x), x.index());
  return 0;
}
