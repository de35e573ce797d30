// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program/link/link_types.h"

#include <algorithm>
#include <cstring>

namespace heddle {
namespace {

/// Like Hasher, for the many types of many units: two lanes of one multiplication a word.
class WordHasher {
 public:
  WordHasher& add(std::uint64_t word) {
    a_ = fold(a_ ^ word, 0x9e3779b97f4a7c15ULL);
    b_ = fold(b_ + word, 0xd6e8feb86659fd93ULL);
    return *this;
  }
  WordHasher& add(std::string_view text) {
    add(std::uint64_t{text.size()});
    for (; text.size() >= sizeof(std::uint64_t); text.remove_prefix(sizeof(std::uint64_t))) add(front(text));
    return text.empty() ? *this : add(front(text));
  }
  WordHasher& add(const ContentHash& h) { return add(h.high).add(h.low); }
  [[nodiscard]] ContentHash finish() const { return {fold(a_, b_ | 1), fold(b_, a_ | 1)}; }

 private:
  static std::uint64_t front(std::string_view text) {
    std::uint64_t word = 0;
    std::memcpy(&word, text.data(), std::min(text.size(), sizeof word));
    return word;
  }
  static std::uint64_t fold(std::uint64_t x, std::uint64_t y) {
    const auto product = static_cast<unsigned __int128>(x ^ 0x165667b19e3779f9ULL) * y;
    return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
  }

  std::uint64_t a_ = 0xc2b2ae3d27d4eb4fULL;
  std::uint64_t b_ = 0x27d4eb2f165667c5ULL;
};

/// Calls `look` for every type that `t` refers to, in an order that `t` itself decides.
template <class Look>
void for_each_part(const Type& t, const Look& look) {
  if (t.element) look(t.element);
  for (const Field& field : t.fields)
    if (field.type) look(field.type);
  for (const TypeId parameter : t.parameters)
    if (parameter) look(parameter);
}

/// What the type says itself, and which of its parts are missing.
ContentHash own_words(const Type& t) {
  WordHasher h;
  h.add(static_cast<std::uint64_t>(t.kind) | std::uint64_t{t.is_source} << 8 | std::uint64_t{t.is_signed} << 9 |
        std::uint64_t{t.is_reference} << 10 | std::uint64_t{t.is_vararg} << 11 |
        std::uint64_t{t.element.valid()} << 12 | std::uint64_t{t.value_bits} << 16);
  h.add(t.name).add(t.size_bits).add(t.align_bits).add(t.count);
  h.add(t.fields.size()).add(t.parameters.size());
  for (const Field& field : t.fields)
    h.add(field.name)
        .add(field.offset_bits)
        .add(field.size_bits << 3 | std::uint64_t{field.is_bitfield} | std::uint64_t{field.is_base} << 1 |
             std::uint64_t{field.type.valid()} << 2);
  for (const TypeId parameter : t.parameters) h.add(std::uint64_t{parameter.valid()});
  return h.finish();
}

bool is_named_record(const Type& t) {
  return t.is_source && !t.name.empty() && (t.kind == TypeKind::Struct || t.kind == TypeKind::Union);
}

/// `struct list;`
bool is_only_named(const Type& t) { return t.size_bits == 0 && t.fields.empty(); }

ContentHash kind_and_name(const Type& t) {
  return WordHasher().add(static_cast<std::uint64_t>(t.kind)).add(t.name).finish();
}

/// What the type and the members of it say, one step deep.
ContentHash description(const Table<Type>& types, const Type& t) {
  WordHasher h;
  h.add(own_words(t));
  for (const Field& field : t.fields)
    if (field.type) h.add(static_cast<std::uint64_t>(types[field.type].kind)).add(types[field.type].name);
  return h.finish();
}

class TypeHasher {
 public:
  TypeHasher(const Table<Type>& types, const OpenTypes& open, std::uint64_t unit)
      : unit_(unit), hashes_(types.size()), order_(types.size(), 0), low_(types.size()) {
    first_part_.reserve(types.size() + 1);
    for (const Type& t : types) {
      first_part_.push_back(static_cast<std::uint32_t>(parts_.size()));
      const bool is_open = open.contains(t);
      if (!is_open) for_each_part(t, [&](TypeId part) { parts_.push_back(part.index()); });
      own_.push_back(is_open ? kind_and_name(t) : own_words(t));
    }
    first_part_.push_back(static_cast<std::uint32_t>(parts_.size()));
  }

  std::vector<ContentHash> run() {
    for (std::uint32_t i = 0; i < own_.size(); ++i)
      if (order_[i] == 0) visit(i);
    return std::move(hashes_);
  }

 private:
  struct Visit {
    std::uint32_t type;
    std::uint32_t next;  ///< part to look at
  };
  static constexpr std::uint32_t closed = ~std::uint32_t{0};
  static constexpr int most_rounds = 1000;

  [[nodiscard]] std::span<const std::uint32_t> parts_of(std::uint32_t type) const {
    return std::span(parts_).subspan(first_part_[type], first_part_[type + 1] - first_part_[type]);
  }

  // Tarjan's algorithm on a stack of its own: a component is complete when its first member is left.
  void visit(std::uint32_t root) {
    open(root);
    while (!stack_.empty()) {
      Visit& top = stack_.back();
      const std::uint32_t type = top.type;
      if (top.next < first_part_[type + 1]) {
        const std::uint32_t part = parts_[top.next++];
        if (order_[part] == 0)
          open(part);
        else if (order_[part] != closed)
          low_[type] = std::min(low_[type], order_[part]);
        continue;
      }
      stack_.pop_back();
      if (!stack_.empty()) low_[stack_.back().type] = std::min(low_[stack_.back().type], low_[type]);
      if (low_[type] == order_[type]) close(type);
    }
  }

  void open(std::uint32_t type) {
    order_[type] = low_[type] = ++opened_;
    pending_.push_back(type);
    stack_.push_back({type, first_part_[type]});
  }

  void close(std::uint32_t first) {
    const auto begin = std::find(pending_.rbegin(), pending_.rend(), first).base() - 1;
    const std::vector<std::uint32_t> members(begin, pending_.end());
    pending_.erase(begin, pending_.end());
    if (members.size() > 1 || std::ranges::count(parts_of(first), first) != 0)
      refine(members);
    else
      hashes_[first] = look(first);
    for (const std::uint32_t member : members) order_[member] = closed;
  }

  void refine(const std::vector<std::uint32_t>& members) {
    std::vector<ContentHash> next(members.size());
    std::vector<ContentHash> sorted;
    int rounds = 0;
    for (std::size_t classes = 0; rounds < most_rounds; ++rounds) {
      for (std::size_t k = 0; k < members.size(); ++k) next[k] = look(members[k]);
      for (std::size_t k = 0; k < members.size(); ++k) hashes_[members[k]] = next[k];
      sorted = next;
      std::ranges::sort(sorted);
      std::size_t found = 1;
      for (std::size_t k = 1; k < sorted.size(); ++k) found += sorted[k] != sorted[k - 1] ? 1 : 0;
      if (found == classes) break;
      classes = found;
    }
    WordHasher circle;
    for (const ContentHash& h : sorted) circle.add(h);
    if (rounds == most_rounds) circle.add(unit_);
    const ContentHash whole = circle.finish();
    for (const std::uint32_t member : members) {
      WordHasher h;
      h.add(hashes_[member]).add(whole);
      if (rounds == most_rounds) h.add(std::uint64_t{member});
      hashes_[member] = h.finish();
    }
  }

  [[nodiscard]] ContentHash look(std::uint32_t type) const {
    WordHasher h;
    h.add(own_[type]);
    for (const std::uint32_t part : parts_of(type)) h.add(hashes_[part]);
    return h.finish();
  }

  std::uint64_t unit_;
  std::vector<std::uint32_t> parts_;       // of all types, one type's behind the other's
  std::vector<std::uint32_t> first_part_;  // of each type, and an end
  std::vector<ContentHash> own_;
  std::vector<ContentHash> hashes_;
  std::vector<std::uint32_t> order_;  // 0: not met, `closed`: its component is complete
  std::vector<std::uint32_t> low_;
  std::vector<std::uint32_t> pending_;
  std::vector<Visit> stack_;
  std::uint32_t opened_ = 0;
};

}  // namespace

void OpenTypes::add(const Table<Type>& types) {
  for (const Type& t : types) {
    if (!is_named_record(t)) continue;
    Known& known = known_[kind_and_name(t)];
    if (is_only_named(t)) {
      known.is_only_named = true;
      continue;
    }
    const ContentHash words = description(types, t);
    known.is_ambiguous = known.is_ambiguous || (known.is_described && known.words != words);
    known.is_described = true;
    known.words = words;
  }
}

bool OpenTypes::contains(const Type& type) const {
  if (!is_named_record(type)) return false;
  const auto found = known_.find(kind_and_name(type));
  return found != known_.end() && found->second.is_only_named && found->second.is_described &&
         !found->second.is_ambiguous;
}

std::vector<ContentHash> type_hashes(const Table<Type>& types, const OpenTypes& open, std::uint64_t unit) {
  return TypeHasher(types, open, unit).run();
}

std::vector<TypeId> TypeMerger::add(const Table<Type>& types) {
  const std::vector<ContentHash> hashes = type_hashes(types, open_, units_++);
  std::vector<TypeId> ids;
  std::vector<TypeId> fresh;
  ids.reserve(types.size());
  for (std::size_t i = 0; i < types.size(); ++i) {
    const auto [it, is_new] = known_.try_emplace(hashes[i]);
    if (is_new) {
      it->second = to_.types.add(Type{});
      fresh.emplace_back(i);
    } else if (is_named_record(types[TypeId(i)]) && !is_only_named(types[TypeId(i)]) &&
               is_only_named(to_.types[it->second])) {
      fresh.emplace_back(i);  // it was only named until now
    }
    ids.push_back(it->second);
  }
  for (const TypeId from : fresh) copy(types[from], ids, to_.types[ids[from.index()]]);
  return ids;
}

void TypeMerger::copy(const Type& from, const std::vector<TypeId>& ids, Type& to) {
  const auto mapped = [&](TypeId id) { return id ? ids[id.index()] : id; };
  to = from;
  to.name = texts_.keep(from.name);
  to.element = mapped(from.element);
  std::vector<Field> fields(from.fields.begin(), from.fields.end());
  for (Field& field : fields) {
    field.name = texts_.keep(field.name);
    field.type = mapped(field.type);
  }
  to.fields = to_.arena.copy(fields);
  std::vector<TypeId> parameters(from.parameters.begin(), from.parameters.end());
  for (TypeId& parameter : parameters) parameter = mapped(parameter);
  to.parameters = to_.arena.copy(parameters);
}

}  // namespace heddle
