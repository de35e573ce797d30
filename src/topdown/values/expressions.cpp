// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "topdown/values/expressions.h"

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>

namespace heddle::topdown {

namespace {
constexpr std::uint8_t deepest_expression = 8;
}

/// A pure expression over forms has a name of its own: computing it again gives the same number.
FormId Expressions::expression(const Site& site, State& s, const Named& named, InfoId info) const {
  const Info described = u.infos[info];
  if (described.is_number() && described.number.is_constant()) return u.constant(described.number.low);
  const Form fa = u.forms[named.a];
  const Form fb = named.b ? u.forms[named.b] : Form{};
  if (fa.opaque || fb.opaque) return values_.defined(site, s, info);
  Symbol sym;
  sym.kind = named.kind;
  sym.detail = named.detail;
  sym.bits = static_cast<std::uint8_t>(named.bits);
  sym.a = named.a.index();
  sym.b = named.kind == SymbolKind::Extend ? named.c : named.b.index();
  sym.c = named.kind == SymbolKind::Extend ? 0 : named.c;
  std::set<SymbolId> depends;
  for (const Form* f : {&fa, &fb})
    for (const Term& t : f->terms) {
      const Symbol& inner = u.symbols[t.symbol];
      sym.depth = std::max<std::uint8_t>(sym.depth, static_cast<std::uint8_t>(inner.depth + 1));
      depends.insert(t.symbol);
      depends.insert(inner.depends.begin(), inner.depends.end());
    }
  if (sym.depth > deepest_expression) return values_.defined(site, s, info);
  sym.depends.assign(depends.begin(), depends.end());
  const SymbolId id = u.symbol(sym);
  if (const auto known = u.maps.find(s.infos, id.index())) {
    const Info k = u.infos[InfoId(*known)];
    if (k.is_number() && described.is_number()) {
      Info both = k;
      both.number = numeric::meet(k.number, described.number);
      if (!both.number.is_empty()) {
        d.set_info(s, id, u.info(both));
        const Info now = u.infos[u.info(both)];
        if (now.number.is_constant()) return u.constant(now.number.low);
      }
    }
  } else {
    d.set_info(s, id, info);
  }
  return u.of_symbol(id);
}

namespace {

Interval result_of(BinaryOp op, Interval x, Interval y, unsigned bits) {
  switch (op) {
    case BinaryOp::Add: return numeric::add(x, y, bits);
    case BinaryOp::Sub: return numeric::wrap(numeric::Wide{x.low} - y.high, numeric::Wide{x.high} - y.low, bits);
    case BinaryOp::Mul: return numeric::multiply(x, y, bits);
    case BinaryOp::SDiv: return numeric::divide_signed(x, y, bits);
    case BinaryOp::UDiv: return numeric::divide_unsigned(x, y, bits);
    case BinaryOp::SRem: return numeric::remainder_signed(x, y, bits);
    case BinaryOp::URem: return numeric::remainder_unsigned(x, y, bits);
    case BinaryOp::LShr: return numeric::shift_right_logical(x, y, bits);
    case BinaryOp::AShr: return numeric::shift_right_arithmetic(x, y, bits);
    case BinaryOp::And: return numeric::bit_and(x, y, bits);
    case BinaryOp::Or: return numeric::bit_or(x, y, bits);
    case BinaryOp::Xor: return numeric::bit_xor(x, y, bits);
    default: return Interval::of_width(bits);
  }
}

}  // namespace

/// The linear form of the result; none if it is not linear.
FormId Expressions::linear(BinaryOp op, FormId a, FormId b, unsigned bits) const {
  if (bits <= 1) return {};
  const Form fa = u.forms[a];
  const Form fb = u.forms[b];
  if (op == BinaryOp::Add || op == BinaryOp::Sub)
    if (const FormId f = u.combine(a, b, op == BinaryOp::Add ? 1 : -1, bits)) return f;
  if (op == BinaryOp::Mul && fb.is_constant())
    if (const FormId f = u.combine(u.constant(0), a, fb.constant, bits)) return f;
  if (op == BinaryOp::Mul && fa.is_constant())
    if (const FormId f = u.combine(u.constant(0), b, fa.constant, bits)) return f;
  if (op == BinaryOp::Shl && fb.is_constant() && fb.constant >= 0 && fb.constant < static_cast<std::int64_t>(bits))
    return u.combine(u.constant(0), a, static_cast<std::int64_t>(std::uint64_t{1} << fb.constant), bits);
  return {};
}

/// The steps of the form are those of the number. 24·i at any i is a multiple of 24, but not where it wraps around: a
/// power of two then still divides it. Narrow numbers are looked at when they are extended.
bool Expressions::keeps_steps(const State& s, FormId id, unsigned bits) const {
  const Form form = u.forms[id];
  if (bits < u.pointer_bits() || form.opaque || d.is_exact(s, id, bits)) return true;
  std::uint64_t step = 0;
  for (const Term& t : form.terms)
    if (!d.interval_of(s, u.of_symbol(t.symbol), bits).is_constant()) step = std::gcd(step, magnitude(t.factor));
  return step == 0 || std::has_single_bit(step);
}

/// Of a truth value: not a.
FormId Expressions::negation(const Site& site, State& s, FormId a) const {
  const Info i = u.infos[d.info_of(s, a, 1)];
  const Interval result = i.number.is_constant() ? Interval::constant(1 - i.number.low) : Interval{0, 1};
  const Named named{SymbolKind::Compare, static_cast<std::uint8_t>(Predicate::Eq), a, u.constant(0), 1, 1};
  return expression(site, s, named, u.number(result));
}

FormId Expressions::binary(const Site& site, State& s) const {
  const auto operands = site.operands();
  const FormId a = values_.evaluate(site, s, operands[0]);
  const FormId b = values_.evaluate(site, s, operands[1]);
  const unsigned bits = values_.bits_of(site.code().type);
  const BinaryOp op = site.code().binary_op();
  if (u.program.types[site.code().type].kind != TypeKind::Int) return values_.defined(site, s, u.any_number(bits));
  const bool cannot_wrap = site.code().has_flag(Instruction::no_signed_wrap);
  if (const FormId f = linear(op, a, b, bits); f && (cannot_wrap || keeps_steps(s, f, bits))) return f;
  const auto divisor = u.constant_of(b);
  if ((op == BinaryOp::SDiv || op == BinaryOp::UDiv) && divisor == 1 && bits > 1) return a;
  if (op == BinaryOp::Xor && bits == 1 && divisor == 1) return negation(site, s, a);
  const InfoId ia = d.info_of(s, a, bits);
  const InfoId ib = d.info_of(s, b, bits);
  InfoId out;
  if (!u.infos[ia].is_number() || !u.infos[ib].is_number()) {
    // Arithmetic on addresses beyond adding: the result may lie anywhere in the same objects.
    // The rest of a division by a small number is no address any more.
    const bool is_rest = (op == BinaryOp::URem || op == BinaryOp::SRem) && divisor && *divisor > 0 && *divisor <= 4096;
    const Interval all = Interval::of_width(bits);
    out = is_rest ? u.number(result_of(op, all, Interval::constant(*divisor), bits))
                  : u.with_addresses_of(d.blur(ia, bits), d.blur(ib, bits));
  } else {
    out = u.number(result_of(op, u.infos[ia].number, u.infos[ib].number, bits));
  }
  return expression(site, s, {SymbolKind::Binary, static_cast<std::uint8_t>(op), a, b, bits, 0}, out);
}

FormId Expressions::compare(const Site& site, State& s) const {
  const auto operands = site.operands();
  const Predicate p = site.code().predicate();
  if (p >= Predicate::FFalse) return values_.defined(site, s, u.number({0, 1}));
  const FormId a = values_.evaluate(site, s, operands[0]);
  const FormId b = values_.evaluate(site, s, operands[1]);
  const unsigned bits = values_.operand_bits(site, operands[0]);
  const bool is_true = [&] {
    State t = s;
    return d.assume_compare(t, p, a, b, bits);
  }();
  static constexpr std::array negations{Predicate::Ne,  Predicate::Eq,  Predicate::Ule, Predicate::Ult, Predicate::Uge,
                                        Predicate::Ugt, Predicate::Sle, Predicate::Slt, Predicate::Sge, Predicate::Sgt};
  const bool is_false = [&] {
    State t = s;
    return d.assume_compare(t, negations[static_cast<std::size_t>(p)], a, b, bits);
  }();
  if (!is_true) return u.constant(0);
  if (!is_false) return u.constant(1);
  return expression(site, s, {SymbolKind::Compare, static_cast<std::uint8_t>(p), a, b, 1, bits}, u.number({0, 1}));
}

/// Zero and sign extension. The linear form survives if it is exact in the narrow width: no wrap-around, and not
/// negative for zext.
FormId Expressions::extension(const Site& site, State& s, FormId a) const {
  const CastOp op = site.code().cast_op();
  const unsigned from = values_.operand_bits(site, site.operands()[0]);
  const unsigned to = values_.bits_of(site.code().type);
  const InfoId info = d.info_of(s, a, from);
  const Info i = u.infos[info];
  const bool exact = d.is_exact(s, a, from);
  if (exact && (op == CastOp::ZExt ? i.number.low >= 0 : from > 1)) return a;
  if (!i.is_number()) return u.opaque(u.with_addresses_of(u.any_number(to), info));
  Interval r = i.number;
  if (op == CastOp::ZExt && r.low < 0)
    r = from >= 63 ? Interval::of_width(to) : Interval{0, (std::int64_t{1} << from) - 1};
  if (op == CastOp::SExt && from == 1) r = r.is_constant() ? Interval::constant(-r.low) : Interval{-1, 0};
  return expression(site, s, {SymbolKind::Extend, static_cast<std::uint8_t>(op), a, {}, to, from}, u.number(r));
}

FormId Expressions::cast(const Site& site, State& s) const {
  const FormId a = values_.evaluate(site, s, site.operands()[0]);
  const CastOp op = site.code().cast_op();
  const unsigned from = values_.operand_bits(site, site.operands()[0]);
  const unsigned to = values_.bits_of(site.code().type);
  const InfoId info = d.info_of(s, a, from);
  switch (op) {
    case CastOp::PtrToInt:
    case CastOp::IntToPtr:
      if (to >= from)
        return to == from || u.infos[info].number.low >= 0 || u.infos[info].number.is_empty()
                   ? a
                   : u.opaque(u.with_addresses_of(u.any_number(to), info));
      [[fallthrough]];
    case CastOp::Trunc: {
      if (to == 1) break;
      // Part of an address is no address: what is left is a number, which may be put together again elsewhere.
      if (!u.infos[info].is_number()) return u.opaque(u.with_addresses_of(u.any_number(to), info));
      if (u.forms[a].opaque) break;
      if (!keeps_steps(s, a, to)) break;
      const FormId reduced = u.combine(u.constant(0), a, 1, to);
      return reduced ? reduced : a;
    }
    case CastOp::ZExt:
    case CastOp::SExt: return extension(site, s, a);
    case CastOp::Bitcast:
    case CastOp::AddrSpaceCast:
      if (from == to) return a;
      break;
    default: break;
  }
  if (op == CastOp::Trunc && to == 1) {
    const Interval r = u.infos[info].number;
    if (u.infos[info].is_number() && r.low >= 0 && r.high <= 1) return a;  // a _Bool
    return values_.defined(site, s, u.number({0, 1}));
  }
  if (!u.infos[info].is_number()) return values_.defined(site, s, u.with_addresses_of(u.any_number(to), info));
  return values_.defined(site, s, u.any_number(to));
}

/// Address arithmetic does not overflow (assumption `defined-behaviour`): the index is not larger than that allows.
void Expressions::keep_in_range(State& s, FormId index, std::int64_t stride) const {
  const Form form = u.forms[index];
  const Interval all = Interval::of_width(u.pointer_bits());
  if (!form.is_symbol() || stride <= 1 || !u.maps.contains(s.infos, form.terms[0].symbol.index())) return;
  const Interval range{all.low / stride, all.high / stride};
  d.refine(s, form.terms[0].symbol, [&](const Info& info) {
    Info out = info;
    if (info.is_number() && !numeric::meet(info.number, range).is_empty())
      out.number = numeric::meet(info.number, range);
    return out;
  });
}

FormId Expressions::gep(const Site& site, State& s) const {
  const auto operands = site.operands();
  const GepInfo& g = site.function->geps[site.code().extra];
  const unsigned bits = u.pointer_bits();
  FormId f = u.combine(values_.evaluate(site, s, operands[0]), u.constant(g.constant_offset), 1, bits);
  for (std::size_t k = 1; f && k < operands.size(); ++k) {
    const FormId index = values_.evaluate(site, s, operands[k]);
    // A narrow index is sign-extended: its form only survives that if it is one plain number.
    const bool survives =
        values_.operand_bits(site, operands[k]) >= bits || u.forms[index].is_constant() || u.forms[index].is_symbol();
    if (site.code().has_flag(Instruction::in_bounds)) keep_in_range(s, index, g.strides[k - 1]);
    f = survives ? u.combine(f, index, g.strides[k - 1], bits) : FormId();
  }
  return f ? f : blurred_gep(site, s);
}

/// Not linear: keep the objects, and the step where it is known.
FormId Expressions::blurred_gep(const Site& site, State& s) const {
  const auto operands = site.operands();
  const GepInfo& g = site.function->geps[site.code().extra];
  const unsigned bits = u.pointer_bits();
  InfoId base = d.info_of(s, values_.evaluate(site, s, operands[0]), bits);
  if (u.infos[base].any_address) return u.opaque(base);
  SymbolId whole = values_.result_symbol(site);
  numeric::Wide fixed = g.constant_offset;
  numeric::Wide low = 0;
  numeric::Wide high = 0;
  std::uint64_t step = 0;
  for (std::size_t k = 1; k < operands.size(); ++k) {
    const Info given =
        u.infos[d.info_of(s, values_.evaluate(site, s, operands[k]), values_.operand_bits(site, operands[k]))];
    if (!given.is_number()) return u.opaque(u.unknown(bits));  // (part of) another address: it may lead anywhere
    const Interval n = given.number;
    const numeric::Wide x = numeric::Wide{n.low} * g.strides[k - 1];
    const numeric::Wide y = numeric::Wide{n.high} * g.strides[k - 1];
    if (n.is_constant()) {
      fixed += x;
      continue;
    }
    low += std::min(x, y);
    high += std::max(x, y);
    step = std::gcd(step, static_cast<std::uint64_t>(std::abs(g.strides[k - 1])));
  }
  // Lend the sum of the indices a symbol, so that the usual rules for addresses apply.
  State lent;
  lent.infos = u.maps.set(0, whole.index(), base.index());
  constexpr numeric::Wide most = numeric::Wide{1} << 40;
  const bool is_far = low < -most || high > most || fixed < -most || fixed > most;
  const std::int64_t factor = step == 0 || is_far ? 1 : static_cast<std::int64_t>(step);
  const Interval by = is_far
                          ? Interval::of_width(bits)
                          : Interval{static_cast<std::int64_t>(low) / factor, static_cast<std::int64_t>(high) / factor};
  const SymbolId index = u.symbol({.kind = SymbolKind::Defined,
                                   .bits = static_cast<std::uint8_t>(bits),
                                   .a = site.context.index(),
                                   .b = ~0U,
                                   .depends = {}});
  lent.infos = u.maps.set(lent.infos, index.index(), u.number(by).index());
  std::vector<Term> terms{{whole, 1}, {index, factor}};
  std::sort(terms.begin(), terms.end());
  const FormId sum = u.form({.constant = is_far ? 0 : static_cast<std::int64_t>(fixed), .terms = terms, .opaque = {}});
  return values_.defined(site, s, d.info_of(lent, sum, bits));
}

/// `i < n ? i : n` is at most i and at most n: what is known on both ways stays known.
FormId Expressions::select(const Site& site, State& s) const {
  const auto operands = site.operands();
  const FormId condition = values_.evaluate(site, s, operands[0]);
  const FormId a = values_.evaluate(site, s, operands[1]);
  const FormId b = values_.evaluate(site, s, operands[2]);
  State t = s;
  State f = s;
  if (!d.assume(t, condition, 1, true)) return b;
  if (!d.assume(f, condition, 1, false)) return a;
  if (a == b && !u.forms[a].opaque) return a;
  const unsigned bits = values_.bits_of(site.code().type);
  const FormId out = values_.defined(site, s, u.join(d.info_of(t, a, bits), d.info_of(f, b, bits)));
  if (!u.forms[out].is_symbol()) return out;
  for (const FormId bound : {a, b}) {
    const Form& form = u.forms[bound];
    if (form.opaque || form.terms.empty() || u.mentions(bound, u.forms[out].terms[0].symbol)) continue;
    if (!d.is_exact(s, bound, bits) || !d.is_exact(s, a, bits) || !d.is_exact(s, b, bits)) continue;
    const std::uint32_t key = u.forms[out].terms[0].symbol.index();
    if (d.must_be_at_most(t, a, bound) && d.must_be_at_most(f, b, bound))
      s.upper = u.maps.set(s.upper, key, bound.index());
    if (d.must_be_at_most(t, bound, a) && d.must_be_at_most(f, bound, b))
      s.lower = u.maps.set(s.lower, key, bound.index());
  }
  return out;
}

}  // namespace heddle::topdown
