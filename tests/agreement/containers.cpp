// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// vector, deque, list, map, set, unordered_map, and what is done with them.
#include <algorithm>
#include <cstdio>
#include <deque>
#include <list>
#include <map>
#include <numeric>
#include <queue>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>
int main() {
  std::vector<int> v(20);
  std::iota(v.begin(), v.end(), -5);
  for (int& x : v) x = x * 7 % 11;
  std::sort(v.begin(), v.end());
  v.erase(std::unique(v.begin(), v.end()), v.end());
  for (int x : v) std::printf("%d ", x);
  std::printf("%d\n", static_cast<int>(std::lower_bound(v.begin(), v.end(), 3) - v.begin()));
  std::map<std::string, int> m;
  for (const char* w : {"the", "cat", "the", "dog", "a", "cat", "the"}) m[w]++;
  for (const auto& [k, n] : m) std::printf("%s=%d ", k.c_str(), n);
  m.erase("cat");
  std::printf("%zu %d\n", m.size(), static_cast<int>(m.count("cat")));
  std::set<int> s;
  for (int i = 0; i < 100; i++) s.insert(i * 37 % 101);
  for (int i = 0; i < 100; i += 3) s.erase(i);
  int h = 0;
  for (int x : s) h = h * 31 + x;
  std::printf("%zu %d %d\n", s.size(), h, *s.rbegin());
  std::list<int> l{5, 1, 4};
  l.push_front(9);
  l.sort();
  l.reverse();
  l.remove(4);
  for (int x : l) std::printf("%d ", x);
  std::deque<int> d;
  for (int i = 0; i < 600; i++) i % 2 ? d.push_back(i) : d.push_front(i);
  std::printf("%d %d %zu\n", d.front(), d[300], d.size());
  std::unordered_map<int, int> u;
  for (int i = 0; i < 50; i++) u[i * i] = i;
  int t = 0;
  for (const auto& p : u) t += p.first ^ p.second;
  std::printf("%zu %d %d\n", u.size(), t, u.at(49));
  std::priority_queue<int> q;
  for (int x : {3, 8, 1, 9}) q.push(x);
  while (!q.empty()) {
    std::printf("%d ", q.top());
    q.pop();
  }
  std::printf("\n");
  std::multimap<int, char> mm{{2, 'b'}, {1, 'a'}, {2, 'c'}};
  for (auto r = mm.equal_range(2); r.first != r.second; ++r.first) std::printf("%c", r.first->second);
  std::printf("\n");
  return 0;
}
