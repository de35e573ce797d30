// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <numeric>
#include <optional>

#include "topdown/domain/universe.h"

namespace heddle::topdown {

namespace {

constexpr std::size_t most_targets = 48;

/// The number of steps to widen to: the next threshold, or one below it, as in `for (i = 0; i < 10; i++) use(&x[i])`.
std::optional<std::int64_t> next_count(std::int64_t least, const std::vector<std::int64_t>& thresholds) {
  const auto same = std::lower_bound(thresholds.begin(), thresholds.end(), least);
  if (same == thresholds.end()) return std::nullopt;
  const auto above = std::lower_bound(same, thresholds.end(), least + 1);
  return above == thresholds.end() ? *same : std::min(*same, *above - 1);
}

/// The highest offset, if it grew to `out.high`.
std::int64_t widened_high(const Target& out, const std::vector<std::int64_t>& thresholds) {
  const auto step = static_cast<std::int64_t>(std::max<std::uint64_t>(out.stride, 1));
  const std::int64_t most = out.high + step * ((far - out.high) / step);
  if (out.low == -far || out.high - out.low > far) return most;
  const auto count = next_count((out.high - out.low + step - 1) / step, thresholds);
  return count && *count <= far / step ? std::min(most, out.low + *count * step) : most;
}

/// `thresholds`: widens; none: joins.
Target join_target(const Target& a, const Target& b, const std::vector<std::int64_t>* thresholds) {
  Target out{a.object, std::min(a.low, b.low), std::max(a.high, b.high), 0};
  const auto distance = static_cast<std::uint64_t>(a.low > b.low ? a.low - b.low : b.low - a.low);
  out.stride = std::gcd(std::gcd(a.stride, b.stride), distance);
  if (thresholds != nullptr) {
    if (b.low < a.low) {
      const auto step = static_cast<std::int64_t>(std::max<std::uint64_t>(out.stride, 1));
      out.low = a.low - step * ((a.low + far) / step);
    }
    if (b.high > a.high) out.high = widened_high(out, *thresholds);
  }
  if (out.low == out.high) out.stride = 0;
  if (out.low != out.high && out.stride == 0) out.stride = 1;
  return out;
}

}  // namespace

InfoId Universe::info(Info i) {
  if (i.number.is_empty()) i.number = Interval::empty();
  if (i.has_excluded && !i.number.contains(i.excluded)) i.has_excluded = false;
  if (i.has_excluded && i.excluded == i.number.low) {
    i.number.low++;
    i.has_excluded = false;
  } else if (i.has_excluded && i.excluded == i.number.high) {
    i.number.high--;
    i.has_excluded = false;
  }
  if (i.number.is_empty()) i.number = Interval::empty();
  if (!i.has_excluded) i.excluded = 0;
  if (i.any_address) i.addresses = {};
  return info_ids_.intern(infos, i);
}

InfoId Universe::addresses(std::vector<Target> targets) {
  std::sort(targets.begin(), targets.end());
  PointsTo p;
  for (const Target& t : targets) {
    if (!p.targets.empty() && p.targets.back().object == t.object)
      p.targets.back() = join_target(p.targets.back(), t, nullptr);
    else
      p.targets.push_back(t);
  }
  Info out;
  out.number = Interval::empty();
  if (p.targets.empty()) return info(out);
  if (p.targets.size() > most_targets) {
    out.any_address = true;
    return info(out);
  }
  out.addresses = points_to_ids_.intern(points_to, std::move(p));
  return info(out);
}

InfoId Universe::unknown(unsigned bits) {
  Info out;
  out.number = Interval::of_width(bits);
  out.any_address = true;
  return info(out);
}

PointsToId Universe::join_points_to(PointsToId a, PointsToId b, const std::vector<std::int64_t>* thresholds) {
  if (a == b || !b) return a;
  if (!a) return b;
  PointsTo out;
  const auto& ta = points_to[a].targets;
  const auto& tb = points_to[b].targets;
  auto i = ta.begin();
  auto k = tb.begin();
  while (i != ta.end() || k != tb.end()) {
    if (k == tb.end() || (i != ta.end() && i->object < k->object)) {
      out.targets.push_back(*i++);
    } else if (i == ta.end() || k->object < i->object) {
      out.targets.push_back(*k++);
    } else {
      out.targets.push_back(join_target(*i++, *k++, thresholds));
    }
  }
  return points_to_ids_.intern(points_to, std::move(out));
}

InfoId Universe::join(InfoId a, InfoId b) {
  if (a == b) return a;
  const Info ia = infos[a];
  const Info ib = infos[b];
  Info out;
  out.number = numeric::join(ia.number, ib.number);
  out.any_address = ia.any_address || ib.any_address;
  // One number that neither side can be; zero is the one that programs test for.
  auto is_hole = [](const Info& i, std::int64_t v) {
    return !i.number.contains(v) || (i.has_excluded && i.excluded == v);
  };
  auto try_hole = [&](bool known, std::int64_t v) {
    if (!known || !out.number.contains(v) || !is_hole(ia, v) || !is_hole(ib, v)) return;
    if (out.has_excluded && (out.excluded == 0 || out.excluded < v)) return;
    out.has_excluded = true;
    out.excluded = v;
  };
  try_hole(true, 0);
  try_hole(ia.has_excluded, ia.excluded);
  try_hole(ib.has_excluded, ib.excluded);
  if (!out.any_address) {
    out.addresses = join_points_to(ia.addresses, ib.addresses, nullptr);
    if (out.addresses && points_to[out.addresses].targets.size() > most_targets) out.any_address = true;
  }
  return info(out);
}

InfoId Universe::widen(InfoId old, InfoId next, const std::vector<std::int64_t>& thresholds) {
  const InfoId joined = join(old, next);
  if (joined == old) return old;
  const Info io = infos[old];
  Info out = infos[joined];
  if (!io.number.is_empty()) {
    if (out.number.low < io.number.low) {
      const auto it = std::upper_bound(thresholds.begin(), thresholds.end(), out.number.low);
      out.number.low = it == thresholds.begin() ? std::numeric_limits<std::int64_t>::min() : *std::prev(it);
    }
    if (out.number.high > io.number.high) {
      const auto it = std::lower_bound(thresholds.begin(), thresholds.end(), out.number.high);
      out.number.high = it == thresholds.end() ? std::numeric_limits<std::int64_t>::max() : *it;
    }
  }
  if (!out.any_address && io.addresses && out.addresses)
    out.addresses = join_points_to(io.addresses, out.addresses, &thresholds);
  return info(out);
}

InfoId Universe::with_addresses_of(InfoId base, InfoId other) {
  const Info& io = infos[other];
  Info out = infos[base];
  out.any_address = out.any_address || io.any_address;
  if (!out.any_address) out.addresses = join_points_to(out.addresses, io.addresses, nullptr);
  if (out.addresses && points_to[out.addresses].targets.size() > most_targets) out.any_address = true;
  return info(out);
}

}  // namespace heddle::topdown
