// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <limits>

#include "topdown/domain/state.h"

namespace heddle::topdown {

namespace {

Info without(Info i, std::int64_t v) {
  if (!i.number.contains(v)) return i;
  if (i.number.low == v) {
    i.number.low++;
  } else if (i.number.high == v) {
    i.number.high--;
  } else if (!i.has_excluded) {
    i.has_excluded = true;
    i.excluded = v;
  }
  return i;
}

}  // namespace

bool Domain::refine(State& s, SymbolId symbol, const std::function<Info(const Info&)>& change) const {
  if (u.symbols[symbol].kind == SymbolKind::Address) return true;
  const InfoId before = info_of_symbol(s, symbol);
  const InfoId after = u.info(change(u.infos[before]));
  if (after == before) return true;
  if (u.infos[after].is_bottom()) return false;
  set_info(s, symbol, after);
  const Symbol sym = u.symbols[symbol];
  const Info info = u.infos[after];
  if (sym.kind == SymbolKind::Compare && info.is_number() && info.number.is_constant()) {
    const auto p = static_cast<Predicate>(sym.detail);
    return assume_compare(s, info.number.low != 0 ? p : opposite(p), FormId(sym.a), FormId(sym.b), sym.c);
  }
  if (sym.kind == SymbolKind::Binary && static_cast<BinaryOp>(sym.detail) == BinaryOp::And && info.is_number() &&
      !info.number.contains(0))
    return assume_compare(s, Predicate::Ne, FormId(sym.a), u.constant(0), sym.bits) &&
           assume_compare(s, Predicate::Ne, FormId(sym.b), u.constant(0), sym.bits);
  if (sym.kind == SymbolKind::Extend) {
    const auto op = static_cast<CastOp>(sym.detail);
    // A bound of the wide value is one of the narrow value only where the two readings agree.
    const bool agrees =
        op == CastOp::SExt ? sym.b > 1 : info.number.low >= 0 && info.number.high <= Interval::of_width(sym.b).high;
    if (agrees) return assume_at_most(s, FormId(sym.a), info.number, sym.b);
  }
  return true;
}

bool Domain::assume(State& s, FormId condition, unsigned bits, bool truth) const {
  const Form form = u.forms[condition];
  if (form.opaque) {
    const Info info = u.infos[form.opaque];
    if (truth) return !(info.is_number() && info.number == Interval::constant(0));
    return info.any_address || info.number.contains(0);
  }
  if (form.is_symbol() && bits == 1) {
    const Symbol sym = u.symbols[form.terms[0].symbol];
    if (sym.kind == SymbolKind::Binary) {
      const auto op = static_cast<BinaryOp>(sym.detail);
      if ((op == BinaryOp::And && truth) || (op == BinaryOp::Or && !truth))
        return assume(s, FormId(sym.a), 1, truth) && assume(s, FormId(sym.b), 1, truth);
    }
  }
  return assume_compare(s, truth ? Predicate::Ne : Predicate::Eq, condition, u.constant(0), bits);
}

bool Domain::assume_at_most(State& s, FormId a, Interval bound, unsigned bits) const {
  const Form form = u.forms[a];
  if (form.opaque || form.terms.empty())
    return !numeric::meet(interval_of(s, a, bits), bound).is_empty() || !u.infos[info_of(s, a, bits)].is_number();
  if (form.terms.size() != 1 || (form.terms[0].factor != 1 && form.terms[0].factor != -1)) return true;
  const std::int64_t factor = form.terms[0].factor;
  const SymbolId symbol = form.terms[0].symbol;
  const Info info = u.infos[info_of_symbol(s, symbol)];
  if (!info.is_number()) return true;
  // Only without wrap-around does a bound of s + c say something of s.
  const numeric::Wide x = numeric::Wide{info.number.low} * factor + form.constant;
  const numeric::Wide y = numeric::Wide{info.number.high} * factor + form.constant;
  const Interval all = Interval::of_width(bits);
  if (std::min(x, y) < all.low || std::max(x, y) > all.high) return true;
  auto clamp = [](numeric::Wide v) {
    constexpr auto least = std::numeric_limits<std::int64_t>::min();
    constexpr auto most = std::numeric_limits<std::int64_t>::max();
    return v < least ? least : v > most ? most : static_cast<std::int64_t>(v);
  };
  const numeric::Wide low = (numeric::Wide{bound.low} - form.constant) * factor;
  const numeric::Wide high = (numeric::Wide{bound.high} - form.constant) * factor;
  const Interval wanted{clamp(std::min(low, high)), clamp(std::max(low, high))};
  return refine(s, symbol, [&](Info i) {
    i.number = numeric::meet(i.number, wanted);
    return i;
  });
}

bool Domain::assume_equal(State& s, FormId a, FormId b, unsigned bits) const {
  const Info ia = u.infos[info_of(s, a, bits)];
  const Info ib = u.infos[info_of(s, b, bits)];
  if (ia.is_number() && ib.is_number()) {
    const Interval both = numeric::meet(ia.number, ib.number);
    if (both.is_empty()) return false;
    if (both.is_constant() &&
        ((ia.has_excluded && ia.excluded == both.low) || (ib.has_excluded && ib.excluded == both.low)))
      return false;
    return assume_at_most(s, a, both, bits) && assume_at_most(s, b, both, bits);
  }
  // An address equals a number only where its number part does (the null pointer).
  auto only_number = [&](FormId f, const Info& with) {
    const Form form = u.forms[f];
    if (form.opaque || form.terms.size() != 1 || form.terms[0].factor != 1) return true;
    const std::int64_t c = form.constant;
    if (u.symbols[form.terms[0].symbol].kind == SymbolKind::Address)
      return with.number != Interval::constant(0) || c != 0;
    if (c != 0) return true;
    return refine(s, form.terms[0].symbol, [&](Info i) {
      i.number = numeric::meet(i.number, with.number);
      i.any_address = false;
      i.addresses = {};
      return i;
    });
  };
  if (ib.is_number() && ib.number == Interval::constant(0)) return only_number(a, ib);
  if (ia.is_number() && ia.number == Interval::constant(0)) return only_number(b, ia);
  return true;
}

bool Domain::assume_different(State& s, FormId a, FormId b, unsigned bits) const {
  if (a == b && !u.forms[a].opaque) return false;
  const Info ia = u.infos[info_of(s, a, bits)];
  const Info ib = u.infos[info_of(s, b, bits)];
  auto exclude = [&](FormId f, const Info& other) {
    if (!other.is_number() || !other.number.is_constant()) return true;
    const Form form = u.forms[f];
    if (form.opaque || form.terms.size() != 1 || form.terms[0].factor != 1) return true;
    const std::int64_t v = numeric::sign_extend(
        static_cast<std::uint64_t>(other.number.low) - static_cast<std::uint64_t>(form.constant), bits);
    return refine(s, form.terms[0].symbol, [&](const Info& i) { return without(i, v); });
  };
  if (ia.is_number() && ib.is_number() && ia.number.is_constant() && ia.number == ib.number) return false;
  return exclude(a, ib) && exclude(b, ia);
}

/// less + gap <= more, where neither wraps around: a bound for the symbol on either side.
void Domain::note_bound(State& s, FormId less, FormId more, std::int64_t gap, unsigned bits) const {
  if (!is_exact(s, less, bits) || !is_exact(s, more, bits)) return;
  auto note = [&](MapId& bounds, FormId of, FormId by, std::int64_t shift) {
    const Form form = u.forms[of];
    if (form.terms.size() != 1 || form.terms[0].factor != 1 || u.forms[by].terms.empty()) return;
    constexpr std::int64_t widest = std::int64_t{1} << 60;  // beyond, the sum below could wrap
    if (std::abs(form.constant) > widest || std::abs(u.forms[by].constant) > widest) return;
    const FormId limit = u.combine(by, u.constant(shift - form.constant), 1, 64);
    if (limit && !u.mentions(limit, form.terms[0].symbol))
      bounds = u.maps.set(bounds, form.terms[0].symbol.index(), limit.index());
  };
  note(s.upper, less, more, -gap);
  note(s.lower, more, less, gap);
}

bool Domain::assume_compare(State& s, Predicate p, FormId a, FormId b, unsigned bits) const {
  if (p == Predicate::Eq) return assume_equal(s, a, b, bits);
  if (p == Predicate::Ne) return assume_different(s, a, b, bits);
  const Info ia = u.infos[info_of(s, a, bits)];
  const Info ib = u.infos[info_of(s, b, bits)];
  if (!ia.is_number() || !ib.is_number() || bits == 1) return true;
  constexpr auto least = std::numeric_limits<std::int64_t>::min();
  constexpr auto most = std::numeric_limits<std::int64_t>::max();
  Interval x = ia.number;
  Interval y = ib.number;
  const bool is_unsigned = p == Predicate::Ult || p == Predicate::Ule || p == Predicate::Ugt || p == Predicate::Uge;
  if (is_unsigned) {
    // Below a non-negative bound means non-negative; otherwise only two non-negative sides compare as signed ones do.
    const bool b_bounds = (p == Predicate::Ult || p == Predicate::Ule) && y.low >= 0;
    const bool a_bounds = (p == Predicate::Ugt || p == Predicate::Uge) && x.low >= 0;
    if (b_bounds) x = numeric::meet(x, {0, most});
    if (a_bounds) y = numeric::meet(y, {0, most});
    if (x.low < 0 || y.low < 0) return true;
    if (x.is_empty() || y.is_empty()) return false;
  }
  const bool strict = p == Predicate::Ult || p == Predicate::Slt || p == Predicate::Ugt || p == Predicate::Sgt;
  const bool less = p == Predicate::Ult || p == Predicate::Ule || p == Predicate::Slt || p == Predicate::Sle;
  const std::int64_t gap = strict ? 1 : 0;
  auto minus = [](std::int64_t v, std::int64_t d) { return v == least ? v : v - d; };
  auto plus = [](std::int64_t v, std::int64_t d) { return v == most ? v : v + d; };
  Interval for_a = x;
  Interval for_b = y;
  if (less) {
    for_a = numeric::meet(for_a, {least, minus(y.high, gap)});
    for_b = numeric::meet(for_b, {plus(x.low, gap), most});
  } else {
    for_a = numeric::meet(for_a, {plus(y.low, gap), most});
    for_b = numeric::meet(for_b, {least, minus(x.high, gap)});
  }
  if (for_a.is_empty() || for_b.is_empty()) return false;
  // Bounds that are no numbers may say the opposite.
  if (is_exact(s, a, bits) && is_exact(s, b, bits)) {
    const FormId limit = u.combine(less ? a : b, u.constant(gap - 1), 1, 64);
    if (limit && must_be_at_most(s, less ? b : a, limit)) return false;
  }
  if (!assume_at_most(s, a, for_a, bits) || !assume_at_most(s, b, for_b, bits)) return false;
  note_bound(s, less ? a : b, less ? b : a, gap, bits);
  return true;
}

}  // namespace heddle::topdown
