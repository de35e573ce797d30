// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "topdown/domain/address_sum.h"

#include <algorithm>
#include <iterator>
#include <numeric>

namespace heddle::topdown {

namespace {

std::vector<Target> shifted(const std::vector<Target>& targets, const Distances& by) {
  std::vector<Target> out;
  for (Target t : targets) {
    const numeric::Wide low = numeric::Wide{t.low} + by.range.low;
    const numeric::Wide high = numeric::Wide{t.high} + by.range.high;
    const numeric::Wide first = t.low + by.first;
    t.low = low < -far ? -far : static_cast<std::int64_t>(low);
    t.high = high > far ? far : static_cast<std::int64_t>(high);
    if (low < -far || low > far || high > far || high < -far) {
      t.low = -far;
      t.high = far;
    }
    t.stride = std::gcd(t.stride, by.step);
    if (t.stride > 1) {
      // The ends are places, too: those of "anywhere" and of a range that wrapped around are only numbers so far.
      const auto stride = static_cast<numeric::Wide>(t.stride);
      t.low += static_cast<std::int64_t>((((first - t.low) % stride) + stride) % stride);
      t.high -= static_cast<std::int64_t>((((t.high - first) % stride) + stride) % stride);
      if (t.low > t.high) t = {t.object, -far, far, 1};
    }
    if (t.low == t.high) t.stride = 0;
    if (t.low != t.high && t.stride == 0) t.stride = 1;
    out.push_back(t);
  }
  return out;
}

/// Terms that may mean the same objects. Terms of two groups never do.
struct AddressGroup {
  std::vector<ObjectId> objects;  ///< sorted
  std::vector<AddressTerm> terms;
  bool is_of_same_objects = true;  ///< every term may mean all of them

  [[nodiscard]] numeric::Wide factors() const {
    return std::accumulate(terms.begin(), terms.end(), numeric::Wide{0},
                           [](numeric::Wide sum, const AddressTerm& t) { return sum + t.factor; });
  }
  [[nodiscard]] bool meets(const AddressGroup& other) const {
    return std::ranges::any_of(objects, [&](ObjectId o) { return std::ranges::binary_search(other.objects, o); });
  }
  void take(const AddressGroup& other) {
    is_of_same_objects = is_of_same_objects && other.is_of_same_objects && objects == other.objects;
    std::vector<ObjectId> both;
    std::ranges::set_union(objects, other.objects, std::back_inserter(both));
    objects = std::move(both);
    terms.insert(terms.end(), other.terms.begin(), other.terms.end());
  }
};

std::vector<AddressGroup> groups_of(const Universe& u, const std::vector<AddressTerm>& terms) {
  std::vector<AddressGroup> out;
  for (const AddressTerm& term : terms) {
    AddressGroup group{.objects = {}, .terms = {term}};
    for (const Target& t : u.points_to[u.infos[term.info].addresses].targets) group.objects.push_back(t.object);
    const AddressGroup alone = group;
    for (const AddressGroup& other : out)
      if (alone.meets(other)) group.take(other);
    std::erase_if(out, [&](const AddressGroup& other) { return alone.meets(other); });
    out.push_back(std::move(group));
  }
  return out;
}

InfoId moved(Universe& u, InfoId base, const Distances& by, Interval number) {
  Info out;
  out.number = number;
  if (u.infos[base].any_address) {
    out.any_address = true;
    return u.info(out);
  }
  const std::vector<Target> targets = u.points_to[u.infos[base].addresses].targets;
  return u.with_addresses_of(u.info(out), u.addresses(shifted(targets, by)));
}

InfoId anywhere_in(Universe& u, const std::vector<ObjectId>& objects, Interval number) {
  Info out;
  out.number = number;
  std::vector<Target> targets;
  for (const ObjectId o : objects) targets.push_back({o, -far, far, 1});
  return u.with_addresses_of(u.info(out), u.addresses(std::move(targets)));
}

}  // namespace

InfoId sum_of_addresses(Universe& u, const std::vector<AddressTerm>& terms, Distances by, Interval number,
                        unsigned bits) {
  if (terms.size() == 1 && terms[0].factor == 1) return moved(u, terms[0].info, by, number);
  if (std::ranges::any_of(terms, [&](const AddressTerm& t) { return u.infos[t.info].any_address; }))
    return u.unknown(bits);
  const std::vector<AddressGroup> groups = groups_of(u, terms);
  const AddressGroup* base = nullptr;
  for (const AddressGroup& group : groups) {
    if (group.factors() == 0 && group.is_of_same_objects) {
      for (const AddressTerm& t : group.terms) by.step = std::gcd(by.step, magnitude(t.factor));
    } else if (group.factors() == 1 && base == nullptr) {
      base = &group;
    } else {
      return u.unknown(bits);
    }
  }
  if (base == nullptr) return u.any_number(bits);
  const bool may_be_number =
      std::ranges::any_of(base->terms, [&](const AddressTerm& t) { return !u.infos[t.info].number.is_empty(); });
  number = may_be_number ? Interval::of_width(bits) : Interval::empty();
  if (base->terms.size() > 1) return anywhere_in(u, base->objects, number);
  by.range = Interval::of_width(64);
  return moved(u, base->terms[0].info, by, number);
}

}  // namespace heddle::topdown
