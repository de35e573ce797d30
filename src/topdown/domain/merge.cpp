// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Merging two states: what is left of both where two paths meet. It over-approximates: everything that either state
// allows, the result allows.
//
//   first time at the loop head    i = 0, n_handles = 0, m held
//   round the loop once            i = 1, n_handles = 1, m held
//   merged                         i = J, n_handles = J, J in [0, 1], m held
//   round again: i = J + 1, n_handles = J + 1; merged: i = J, n_handles = J, J in [0, 2]
//
// Values. The difficulty is identity. Merging 0 and 1 to "somewhere in [0, 1]" would lose that i and n_handles are
// equal, on which proofs about threads started in a loop rest. So a pair of forms (x in the first state, y in the
// second) that differ gets a symbol, named by the merge point and the first holder; every other holder of the same pair
// gets the same symbol, and pairs that differ from it by one constant on both sides get the symbol plus that constant.
// The second difficulty is time: at a loop head, J may mean "i now" on one side and "i one round ago" on the other. So
// forms that mention a symbol merged at this very point (`mentions_point`) are named anew by their pair even where they
// look equal. What has no name left is opaque: an interval and a set of addresses.
//
// The rest. A lock is held if both states hold it under forms that are one form, or one named pair; as often as in
// both, in the weaker mode. A thread has ended if it has in both states, may have been created if it may in one. What
// is known of a symbol is the join; a bound between symbols stays if it holds in both states.
//
// Why it is sound: let an execution be described by the first state (the second is symmetric), each symbol with its
// number. Give every symbol defined here the number of its pair's first form. Then each form of the result has the
// number it had: kept forms because they mention nothing that is defined here, renamed pairs by this definition, opaque
// ones because the info contains what both sides say. Infos, bounds, locks and threads only say what both sides said.
//
// What it costs: one walk over the differences of the maps (equal parts are shared, so they are not visited), unless a
// symbol of this very point is alive (`stale_`): then over all of environment and memory. Locks are compared pair by
// pair.
#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>

#include "topdown/domain/state.h"
#include "topdown/domain/team_labels.h"

namespace heddle::topdown {

namespace {

class Merger {
 public:
  Merger(const Domain& d, const State& a, const State& b, const MergePoint& at, const Domain::AbsentCell& absent)
      : d_(d), u_(d.u), a_(a), b_(b), at_(at), absent_(absent), out_(a) {
    stale_ = mentions_point(a.infos) || mentions_point(b.infos);
  }

  State run() {
    merge_environment();
    merge_memory();
    merge_locks();
    merge_threads();
    merge_teams();
    merge_infos();
    merge_bounds();
    return out_;
  }

 private:
  struct Shared {
    SymbolId symbol;
    std::int64_t base = 0;  ///< the symbol is the pair plus this
  };

  bool is_of_point(SymbolId s) const {
    const Symbol& sym = u_.symbols[s];
    const bool merged = sym.kind == SymbolKind::MergedValue || sym.kind == SymbolKind::MergedCell;
    return merged && sym.a == at_.context.index() && sym.b == at_.block;
  }
  bool mentions_point(MapId infos) const {
    bool found = false;
    u_.maps.for_each(infos, [&](std::uint32_t s, std::uint32_t) { found = found || is_of_point(SymbolId(s)); });
    return found;
  }
  bool mentions_point(FormId f) const {
    if (!stale_) return false;
    for (const Term& t : u_.forms[f].terms) {
      if (is_of_point(t.symbol)) return true;
      for (const SymbolId s : u_.symbols[t.symbol].depends)
        if (is_of_point(s)) return true;
    }
    return false;
  }
  InfoId merged_info(InfoId x, InfoId y) const { return at_.widen ? u_.widen(x, y, *at_.thresholds) : u_.join(x, y); }

  FormId merge_forms(FormId x, FormId y, SymbolKind kind, std::uint32_t holder, unsigned width) {
    if (x == y && !mentions_point(x)) return x;
    auto described = [&] { return u_.opaque(merged_info(d_.info_of(a_, x, width), d_.info_of(b_, y, width))); };
    if (u_.forms[x].opaque || u_.forms[y].opaque) return described();
    // Where neither side wraps around, the forms are plain numbers, the same in every width that holds them.
    const bool exact = d_.is_exact(a_, x, width) && d_.is_exact(b_, y, width);
    const unsigned bits = exact ? 64 : width;
    // Pairs that differ by the same constants share a symbol: (2, 3) and (5, 6) are S and S + 3.
    const std::int64_t shift = u_.forms[x].constant;
    const FormId gx = u_.combine(x, u_.constant(shift), -1, bits);
    const FormId gy = u_.combine(y, u_.constant(shift), -1, bits);
    auto it = pairs_.find({gx, gy, bits});
    if (it == pairs_.end()) {
      const bool is_number = u_.forms[x].terms.empty();
      const auto name = name_for(gx, kind, holder, width);
      if (!name) return described();
      // Of numbers the first holder's own is the symbol, so that widening meets the constants of its comparisons.
      const InfoId info = is_number ? merged_info(d_.info_of(a_, x, bits), d_.info_of(b_, y, bits))
                                    : merged_info(d_.info_of(a_, gx, bits), d_.info_of(b_, gy, bits));
      it = pairs_.emplace(std::tuple(gx, gy, bits), Shared{*name, is_number ? shift : 0}).first;
      defined_.emplace(*name, info);
    }
    return u_.combine(u_.of_symbol(it->second.symbol), u_.constant(shift - it->second.base), 1, bits);
  }

  std::optional<SymbolId> name_for(FormId gx, SymbolKind kind, std::uint32_t holder, unsigned bits) {
    const Form& form = u_.forms[gx];
    if (form.is_symbol() && is_of_point(form.terms[0].symbol) && !defined_.contains(form.terms[0].symbol))
      return form.terms[0].symbol;
    Symbol s;
    s.kind = kind;
    s.bits = static_cast<std::uint8_t>(bits);
    s.a = at_.context.index();
    s.b = at_.block;
    s.c = holder;
    const SymbolId id = u_.symbol(s);
    if (defined_.contains(id)) return std::nullopt;
    return id;
  }

  using Value = std::optional<std::uint32_t>;

  /// Of a form that both sides have.
  auto keeps() const {
    return [this](std::uint32_t, std::uint32_t form) { return !mentions_point(FormId(form)); };
  }

  void merge_environment() {
    const auto pair = [&](std::uint32_t key, Value x, Value y) -> Value {
      if (!x || !y) return std::nullopt;
      return merge_forms(FormId(*x), FormId(*y), SymbolKind::MergedValue, key, u_.width_of_key(key)).index();
    };
    out_.environment = stale_ ? u_.maps.merge(a_.environment, b_.environment, pair, keeps())
                              : u_.maps.merge(a_.environment, b_.environment, pair);
  }

  void merge_memory() {
    const auto pair = [&](std::uint32_t key, Value x, Value y) -> Value {
      if (u_.cells[CellId(key)].stride != 0 && x.has_value() != y.has_value())
        return x ? stores_of_one(CellId(key), FormId(*x), a_, b_) : stores_of_one(CellId(key), FormId(*y), b_, a_);
      const FormId fx = x ? FormId(*x) : absent_(a_, CellId(key));
      const FormId fy = y ? FormId(*y) : absent_(b_, CellId(key));
      return merge_forms(fx, fy, SymbolKind::MergedCell, key, u_.width_of_cell(CellId(key))).index();
    };
    out_.memory =
        stale_ ? u_.maps.merge(a_.memory, b_.memory, pair, keeps()) : u_.maps.merge(a_.memory, b_.memory, pair);
  }

  /// A cell with a step is a list of what was stored: what one side lacks, nobody stored there. It goes where the other
  /// side has a wider one that says as much.
  Value stores_of_one(CellId id, FormId stored, const State& mine, const State& other) const {
    const InfoId info = d_.info_of(mine, stored, u_.width_of_cell(id));
    for (const CellId wide : u_.objects[u_.cells[id].object].strided) {
      if (wide == id || !Universe::covers(u_.cells[wide], u_.cells[id])) continue;
      const auto held = u_.maps.find(other.memory, wide.index());
      if (!held) continue;
      const InfoId more = d_.info_of(other, FormId(*held), u_.width_of_cell(wide));
      if (u_.join(more, info) == more) return std::nullopt;
    }
    return u_.opaque(info).index();
  }

  /// A lock is surely held after the join if some pair of its forms on both sides already has one name.
  void merge_locks() {
    out_.locks = 0;
    out_.history = 0;
    u_.maps.for_each(a_.locks, [&](std::uint32_t x, std::uint32_t hold_x) {
      u_.maps.for_each(b_.locks, [&](std::uint32_t y, std::uint32_t hold_y) {
        const FormId f = known_pair(FormId(x), FormId(y));
        if (!f) return;
        out_.locks = u_.maps.set(out_.locks, f.index(), to_number(join(to_hold(hold_x), to_hold(hold_y))));
        const MapId since = merged_since(FormId(x), FormId(y));
        if (since != 0) out_.history = u_.maps.set(out_.history, f.index(), since);
      });
    });
  }

  /// What was acquired on both sides since a lock was taken that has the one form here and the other there.
  MapId merged_since(FormId x, FormId y) {
    MapId out = 0;
    u_.maps.for_each(u_.maps.find(a_.history, x.index()).value_or(0), [&](std::uint32_t p, std::uint32_t mode_p) {
      u_.maps.for_each(u_.maps.find(b_.history, y.index()).value_or(0), [&](std::uint32_t q, std::uint32_t mode_q) {
        const FormId f = known_pair(FormId(p), FormId(q));
        const auto mode = weaker(static_cast<locks::Mode>(mode_p), static_cast<locks::Mode>(mode_q));
        if (f) out = u_.maps.set(out, f.index(), static_cast<std::uint32_t>(mode));
      });
    });
    return out;
  }

  FormId known_pair(FormId x, FormId y) const {
    if (x == y && !mentions_point(x)) return x;
    if (u_.forms[x].terms.empty() || u_.forms[y].terms.empty()) return {};
    const unsigned bits = u_.pointer_bits();
    const std::int64_t shift = u_.forms[x].constant;
    const FormId gx = u_.combine(x, u_.constant(shift), -1, bits);
    const FormId gy = u_.combine(y, u_.constant(shift), -1, bits);
    const auto it = pairs_.find({gx, gy, bits});
    if (it == pairs_.end()) return {};
    return u_.combine(u_.of_symbol(it->second.symbol), u_.constant(shift - it->second.base), 1, bits);
  }

  void merge_threads() {
    const auto most = [](std::uint32_t, Value x, Value y) { return x && (!y || *y < *x) ? x : y; };
    out_.created = u_.maps.merge(a_.created, b_.created, most);
    out_.allocated = u_.maps.merge(a_.allocated, b_.allocated, most);
    out_.joined = u_.maps.merge(a_.joined, b_.joined, [](std::uint32_t, Value x, Value y) { return y ? x : y; });
    out_.seen = u_.maps.merge(a_.seen, b_.seen, [&](std::uint32_t, Value x, Value y) -> Value {
      if (!x || !y) return std::nullopt;
      return *x == *y ? x : Value(merged_info(InfoId(*x), InfoId(*y)).index());
    });
    out_.tickets = u_.maps.merge(a_.tickets, b_.tickets,
                                 [](std::uint32_t, Value x, Value y) { return x == y ? x : std::nullopt; });
    out_.parallel = a_.parallel || b_.parallel;
    out_.was_parallel = a_.was_parallel || b_.was_parallel;
  }

  void merge_teams() {
    out_.teams = u_.maps.merge(a_.teams, b_.teams, [](std::uint32_t, Value x, Value y) -> Value {
      if (!x || !y || *x == *y) return y ? x : y;
      const std::uint32_t depth = TeamPlace::from(*x).depth;
      return depth == TeamPlace::from(*y).depth ? Value(TeamPlace{depth, 0}.number()) : std::nullopt;
    });
    out_.dealt = u_.maps.merge(a_.dealt, b_.dealt, [](std::uint32_t, Value x, Value y) { return x ? x : y; });
    if (a_.loop != b_.loop) out_.loop = 0;
    out_.works_for = u_.maps.merge(a_.works_for, b_.works_for,
                                   [](std::uint32_t, Value x, Value y) { return x == y ? x : std::nullopt; });
  }

  void merge_infos() {
    out_.infos = u_.maps.merge(a_.infos, b_.infos, [&](std::uint32_t, Value x, Value y) -> Value {
      return x && y ? Value(merged_info(InfoId(*x), InfoId(*y)).index()) : std::nullopt;
    });
    if (stale_)
      out_.infos = u_.maps.filter(out_.infos, [&](std::uint32_t key, std::uint32_t) {
        const auto& depends = u_.symbols[SymbolId(key)].depends;
        return !is_of_point(SymbolId(key)) &&
               std::none_of(depends.begin(), depends.end(), [&](SymbolId s) { return is_of_point(s); });
      });
    for (const auto& [symbol, info] : defined_) out_.infos = u_.maps.set(out_.infos, symbol.index(), info.index());
  }

  /// A bound holds behind the join if it holds on both sides. For a symbol defined here, its two forms are asked.
  void merge_bounds() {
    for (const bool is_upper : {true, false}) {
      MapId& out = is_upper ? out_.upper : out_.lower;
      const MapId other = is_upper ? b_.upper : b_.lower;
      out = u_.maps.filter(is_upper ? a_.upper : a_.lower, [&](std::uint32_t key, std::uint32_t f) {
        return !is_of_point(SymbolId(key)) && !mentions_point(FormId(f)) && u_.maps.contains(out_.infos, key) &&
               (u_.maps.find(other, key) == f || holds(b_, u_.of_symbol(SymbolId(key)), FormId(f), is_upper));
      });
      for (const auto& [forms, shared] : pairs_)
        if (const FormId bound = common_bound(std::get<0>(forms), std::get<1>(forms), shared, is_upper);
            bound && std::get<2>(forms) == 64)
          out = u_.maps.set(out, shared.symbol.index(), bound.index());
    }
  }

  bool holds(const State& s, FormId form, FormId bound, bool is_upper) const {
    return is_upper ? d_.must_be_at_most(s, form, bound) : d_.must_be_at_most(s, bound, form);
  }

  FormId common_bound(FormId gx, FormId gy, const Shared& shared, bool is_upper) {
    const FormId x = u_.combine(gx, u_.constant(shared.base), 1, 64);
    const FormId y = u_.combine(gy, u_.constant(shared.base), 1, 64);
    if (!x || !y) return {};
    for (const FormId bound : candidates(x, y, is_upper)) {
      if (!bound || u_.forms[bound].terms.empty() || mentions_point(bound) || u_.mentions(bound, shared.symbol))
        continue;
      const auto& terms = u_.forms[bound].terms;
      const bool kept = std::all_of(terms.begin(), terms.end(),
                                    [&](const Term& t) { return u_.maps.contains(out_.infos, t.symbol.index()); });
      if (kept && holds(a_, x, bound, is_upper) && holds(b_, y, bound, is_upper)) return bound;
    }
    return {};
  }

  /// Bounds worth trying. A symbol that was merged here before only keeps what it has: bounds come once and then only
  /// go.
  std::vector<FormId> candidates(FormId x, FormId y, bool is_upper) {
    auto known = [&](const State& s, FormId f) -> FormId {
      const Form& form = u_.forms[f];
      if (form.opaque || form.terms.size() != 1 || form.terms[0].factor != 1) return {};
      const auto bound = u_.maps.find(is_upper ? s.upper : s.lower, form.terms[0].symbol.index());
      return bound ? u_.combine(FormId(*bound), u_.constant(form.constant), 1, 64) : FormId();
    };
    const Form form = u_.forms[x];
    const bool merged_before = form.terms.size() == 1 && is_of_point(form.terms[0].symbol);
    std::vector<FormId> out{known(a_, x)};
    if (merged_before) return out;
    out.push_back(known(b_, y));
    out.push_back(x);
    if (is_upper && form.terms.empty() &&
        u_.forms[y].terms.empty())  // counting up to something that a test has just raised
      u_.maps.for_each_difference(
          a_.infos, b_.infos, [&](std::uint32_t key, std::optional<std::uint32_t> p, std::optional<std::uint32_t> q) {
            if (!p || !q || !u_.infos[InfoId(*p)].is_number() || !u_.infos[InfoId(*q)].is_number()) return;
            const std::int64_t low = u_.infos[InfoId(*p)].number.low;
            if (u_.infos[InfoId(*q)].number.low > low && std::abs(low) < far)
              out.push_back(u_.of_symbol(SymbolId(key), form.constant - low));
          });
    return out;
  }

  const Domain& d_;
  Universe& u_;
  const State& a_;
  const State& b_;
  const MergePoint& at_;
  const Domain::AbsentCell& absent_;
  State out_;
  bool stale_ = false;
  std::map<std::tuple<FormId, FormId, unsigned>, Shared> pairs_;  ///< the last: width, 64 for plain numbers
  std::map<SymbolId, InfoId> defined_;
};

}  // namespace

State Domain::merge(const State& a, const State& b, const MergePoint& at, const AbsentCell& absent) const {
  if (a == b) return a;
  State out = Merger(*this, a, b, at, absent).run();
  // What nobody mentions any more would be merged again and again. It is looked for where it must be the larger part.
  constexpr std::size_t much = 64;
  const std::size_t holders = u.maps.size(out.environment) + u.maps.size(out.memory) + u.maps.size(out.locks);
  if (at.is_loop_head || u.maps.size(out.infos) > much + 2 * holders) collect_garbage(out);
  return out;
}

}  // namespace heddle::topdown
