// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <map>
#include <random>
#include <vector>

#include "flow/map_store.h"

namespace heddle::flow {
namespace {

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

}  // namespace
}  // namespace heddle::flow
