// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <random>
#include <vector>

#include "flow/map_store.h"

namespace heddle::flow {
namespace HEDDLE_TEST_FILE {

using Plain = std::map<std::uint32_t, std::uint32_t>;

MapId build(MapStore& store, const Plain& plain, bool backwards) {
  MapId out = MapStore::empty();
  if (backwards)
    for (auto it = plain.rbegin(); it != plain.rend(); ++it) out = store.set(out, it->first, it->second);
  else
    for (const auto& [k, v] : plain) out = store.set(out, k, v);
  return out;
}

Plain listed(const MapStore& store, MapId map) {
  Plain out;
  std::uint32_t last = 0;
  store.for_each(map, [&](std::uint32_t k, std::uint32_t v) {
    EXPECT_TRUE(out.empty() || last < k) << "keys must come in order";
    last = k;
    out.emplace(k, v);
  });
  return out;
}

std::uint32_t key_of(std::mt19937& random) {
  const std::uint32_t near = random() % 24;
  return random() % 3 == 0 ? near << 28 : near;
}

TEST(MapStore, BehavesLikeAMap) {
  std::mt19937 random(1);
  MapStore store;
  Plain plain;
  MapId map = MapStore::empty();
  for (int i = 0; i < 4000; ++i) {
    const std::uint32_t key = key_of(random);
    if (random() % 3 == 0) {
      plain.erase(key);
      map = store.erase(map, key);
    } else {
      const std::uint32_t value = random() % 5;
      plain[key] = value;
      map = store.set(map, key, value);
    }
    ASSERT_EQ(store.size(map), plain.size());
    ASSERT_EQ(store.contains(map, key), plain.contains(key));
    if (i % 50 == 0) ASSERT_EQ(listed(store, map), plain);
  }
}

TEST(MapStore, EqualMapsHaveEqualIds) {
  std::mt19937 random(2);
  MapStore store;
  for (int i = 0; i < 200; ++i) {
    Plain plain;
    for (int k = 0; k < 12; ++k) plain[key_of(random)] = random() % 3;
    const MapId forwards = build(store, plain, false);
    EXPECT_EQ(forwards, build(store, plain, true));
    const MapId grown = store.set(forwards, 0xabcdef, 1);
    EXPECT_NE(grown, forwards);
    EXPECT_EQ(store.erase(grown, 0xabcdef), forwards);
  }
}

TEST(MapStore, DifferencesAreExactlyThoseOfTheMaps) {
  std::mt19937 random(3);
  MapStore store;
  for (int i = 0; i < 300; ++i) {
    Plain a;
    Plain b;
    for (int k = 0; k < 10; ++k) {
      a[key_of(random)] = random() % 3;
      b[key_of(random)] = random() % 3;
    }
    std::map<std::uint32_t, std::pair<std::optional<std::uint32_t>, std::optional<std::uint32_t>>> expected;
    for (const auto& [k, v] : a)
      if (!b.contains(k) || b[k] != v) expected[k] = {v, b.contains(k) ? std::optional(b[k]) : std::nullopt};
    for (const auto& [k, v] : b)
      if (!a.contains(k)) expected[k] = {std::nullopt, v};
    decltype(expected) found;
    store.for_each_difference(
        build(store, a, false), build(store, b, true),
        [&](std::uint32_t k, std::optional<std::uint32_t> x, std::optional<std::uint32_t> y) { found[k] = {x, y}; });
    ASSERT_EQ(found, expected);
  }
}

Plain some(std::mt19937& random, std::size_t count) {
  Plain plain;
  for (std::size_t i = 0; i < count; ++i) plain[key_of(random)] = random() % 5;
  return plain;
}

using Value = std::optional<std::uint32_t>;

Value value_in(const Plain& plain, std::uint32_t key) {
  const auto it = plain.find(key);
  return it == plain.end() ? Value() : Value(it->second);
}

/// Sums, and nothing where that is 3.
Value summed(Value a, Value b) {
  const std::uint32_t sum = a.value_or(0) + b.value_or(0);
  return sum == 3 ? Value() : Value(sum);
}

TEST(MapStore, FiltersAndTransforms) {
  std::mt19937 random(4);
  MapStore store;
  for (int i = 0; i < 300; ++i) {
    const Plain plain = some(random, 20);
    const MapId map = build(store, plain, false);
    Plain odd, other;
    for (const auto& [k, v] : plain) {
      if (k % 2 == 1) odd[k] = v;
      if (const Value now = summed(v, 1)) other[k] = *now;
    }
    EXPECT_EQ(store.filter(map, [](std::uint32_t k, std::uint32_t) { return k % 2 == 1; }), build(store, odd, true));
    EXPECT_EQ(store.transform(map, [](std::uint32_t, std::uint32_t v) { return summed(v, 1); }),
              build(store, other, true));
    EXPECT_EQ(store.filter(map, [](std::uint32_t, std::uint32_t) { return true; }), map);
  }
}

TEST(MapStore, MergesInOneWalk) {
  std::mt19937 random(5);
  MapStore store;
  for (int i = 0; i < 500; ++i) {
    const Plain a = some(random, random() % 24);
    Plain b = random() % 2 == 0 ? a : some(random, random() % 24);
    for (int n = 0; n < 3; ++n) b[key_of(random)] = random() % 5;
    std::map<std::uint32_t, int> keys;
    for (const auto& [k, v] : a) keys[k] = 0;
    for (const auto& [k, v] : b) keys[k] = 0;
    Plain differing, kept;
    std::vector<std::uint32_t> order;
    for (const auto& [k, unused] : keys) {
      const Value x = value_in(a, k), y = value_in(b, k);
      if (x != y) order.push_back(k);
      const Value sum = summed(x, y);
      if (const Value now = x == y ? x : sum) differing[k] = *now;
      if (const Value now = x == y && *x % 2 == 0 ? x : sum) kept[k] = *now;
    }
    const MapId left = build(store, a, false), right = build(store, b, true);
    std::vector<std::uint32_t> visited;
    const auto combine = [&](std::uint32_t k, Value x, Value y) {
      visited.push_back(k);
      return summed(x, y);
    };
    EXPECT_EQ(store.merge(left, right, combine), build(store, differing, false));
    EXPECT_EQ(visited, order) << "in key order, and only where the two differ";
    EXPECT_EQ(store.merge(left, right, combine, [](std::uint32_t, std::uint32_t v) { return v % 2 == 0; }),
              build(store, kept, false));
  }
}

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle::flow
