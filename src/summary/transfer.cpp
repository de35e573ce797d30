// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What each instruction does to a state. Calls are in calls.cpp, terminators in blocks.cpp.
#include <algorithm>
#include <array>
#include <numeric>

#include "summary/top_down_analysis.h"

namespace heddle::summary {

namespace {
constexpr std::uint8_t deepest_expression = 8;
}

unsigned TopDownAnalysis::bits_of(TypeId type) const { return u.width_of_type(type); }

unsigned TopDownAnalysis::operand_bits(const Site& site, Operand o) const {
  switch (o.kind()) {
    case Operand::Kind::Value: {
      const ValueId v = o.as_value();
      const Function& f = *site.function;
      return bits_of(f.is_parameter(v) ? f.parameters[v.index()] : f.instructions[f.definition(v)].type);
    }
    case Operand::Kind::Constant: return bits_of(program_.constants[o.as_constant()].type);
    default: return program_.layout.pointer_bits;
  }
}

FormId TopDownAnalysis::evaluate(const Site& site, const State& s, Operand o) {
  switch (o.kind()) {
    case Operand::Kind::Value: {
      const auto held = u.maps.find(s.environment, u.environment_key(site.context, o.as_value()));
      return held ? FormId(*held) : u.opaque(u.unknown(operand_bits(site, o)));
    }
    case Operand::Kind::Constant: {
      const Constant& c = program_.constants[o.as_constant()];
      const unsigned bits = bits_of(c.type);
      if (c.kind == Constant::Kind::Null || c.kind == Constant::Kind::Zero) return u.constant(0);
      if (c.kind == Constant::Kind::Int && c.wide.empty()) return u.constant(numeric::sign_extend(c.bits, bits));
      if (c.kind == Constant::Kind::Aggregate) return u.opaque(u.unknown(bits));
      return u.opaque(u.any_number(bits));
    }
    case Operand::Kind::Global: {
      if (!program_.globals[o.as_global()].is_thread_local) return u.address_of(u.global_object(o.as_global()));
      const ObjectId mine = u.thread_local_object(o.as_global(), thread_of(site));
      const ObjectId published = u.objects[mine].settled;
      if (!u.maps.contains(s.allocated, published.index())) return u.address_of(mine);
      return u.opaque(u.addresses({{mine, 0, 0, 0}, {published, 0, 0, 0}}));
    }
    case Operand::Kind::Function: return u.address_of(u.function_object(o.as_function()));
    default: return u.opaque(u.unknown(64));
  }
}

SymbolId TopDownAnalysis::result_symbol(const Site& site) const {
  const ValueId v = site.function->result_of(site.instruction);
  return u.symbol({.kind = SymbolKind::Defined,
                   .bits = static_cast<std::uint8_t>(bits_of(site.code().type)),
                   .a = site.context.index(),
                   .b = v.index(),
                   .depends = {}});
}

FormId TopDownAnalysis::defined(const Site& site, State& s, InfoId info) {
  return d.define(s, result_symbol(site), info);
}

void TopDownAnalysis::assign(const Site& site, State& s, FormId value) {
  const ValueId v = site.function->result_of(site.instruction);
  s.environment = u.maps.set(s.environment, u.environment_key(site.context, v), value.index());
}

/// A pure expression over forms has a name of its own: computing it again gives the same number.
FormId TopDownAnalysis::expression(const Site& site, State& s, SymbolKind kind, std::uint8_t detail, FormId a, FormId b,
                                   unsigned bits, std::uint32_t c, InfoId info) {
  const Info described = u.infos[info];
  if (described.is_number() && described.number.is_constant()) return u.constant(described.number.low);
  const Form fa = u.forms[a];
  const Form fb = b ? u.forms[b] : Form{};
  if (fa.opaque || fb.opaque) return defined(site, s, info);
  Symbol sym;
  sym.kind = kind;
  sym.detail = detail;
  sym.bits = static_cast<std::uint8_t>(bits);
  sym.a = a.index();
  sym.b = kind == SymbolKind::Extend ? c : b.index();
  sym.c = kind == SymbolKind::Extend ? 0 : c;
  std::set<SymbolId> depends;
  for (const Form* f : {&fa, &fb})
    for (const Term& t : f->terms) {
      const Symbol& inner = u.symbols[t.symbol];
      sym.depth = std::max<std::uint8_t>(sym.depth, static_cast<std::uint8_t>(inner.depth + 1));
      depends.insert(t.symbol);
      depends.insert(inner.depends.begin(), inner.depends.end());
    }
  if (sym.depth > deepest_expression) return defined(site, s, info);
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

FormId TopDownAnalysis::binary(const Site& site, State& s) {
  const auto operands = site.operands();
  const FormId a = evaluate(site, s, operands[0]);
  const FormId b = evaluate(site, s, operands[1]);
  const unsigned bits = bits_of(site.code().type);
  const BinaryOp op = site.code().binary_op();
  if (program_.types[site.code().type].kind != TypeKind::Int) return defined(site, s, u.any_number(bits));
  const Form fa = u.forms[a];
  const Form fb = u.forms[b];
  const bool linear_possible = bits > 1;
  if (linear_possible && (op == BinaryOp::Add || op == BinaryOp::Sub))
    if (const FormId f = u.combine(a, b, op == BinaryOp::Add ? 1 : -1, bits)) return f;
  if (linear_possible && op == BinaryOp::Mul && fb.is_constant())
    if (const FormId f = u.combine(u.constant(0), a, fb.constant, bits)) return f;
  if (linear_possible && op == BinaryOp::Mul && fa.is_constant())
    if (const FormId f = u.combine(u.constant(0), b, fa.constant, bits)) return f;
  if (linear_possible && op == BinaryOp::Shl && fb.is_constant() && fb.constant >= 0 &&
      fb.constant < static_cast<std::int64_t>(bits))
    if (const FormId f = u.combine(u.constant(0), a, static_cast<std::int64_t>(std::uint64_t{1} << fb.constant), bits))
      return f;
  if (op == BinaryOp::Xor && bits == 1 && fb.is_constant() && fb.constant == 1)  // not
    return expression(site, s, SymbolKind::Compare, static_cast<std::uint8_t>(Predicate::Eq), a, u.constant(0), 1, 1,
                      u.number([&] {
                        const Info i = u.infos[d.info_of(s, a, 1)];
                        return i.number.is_constant() ? Interval::constant(1 - i.number.low) : Interval{0, 1};
                      }()));
  const InfoId ia = d.info_of(s, a, bits);
  const InfoId ib = d.info_of(s, b, bits);
  InfoId out;
  if (!u.infos[ia].is_number() || !u.infos[ib].is_number()) {
    // Arithmetic on addresses beyond adding: the result may lie anywhere in the same objects.
    const bool is_offset = op == BinaryOp::URem || op == BinaryOp::SRem || op == BinaryOp::UDiv || op == BinaryOp::SDiv;
    out = is_offset ? u.any_number(bits) : u.with_addresses_of(d.blur(ia, bits), d.blur(ib, bits));
  } else {
    const Interval x = u.infos[ia].number;
    const Interval y = u.infos[ib].number;
    Interval r = Interval::of_width(bits);
    switch (op) {
      case BinaryOp::Add: r = numeric::add(x, y, bits); break;
      case BinaryOp::Sub: r = numeric::wrap(numeric::Wide{x.low} - y.high, numeric::Wide{x.high} - y.low, bits); break;
      case BinaryOp::Mul: r = numeric::multiply(x, y, bits); break;
      case BinaryOp::SDiv: r = numeric::divide_signed(x, y, bits); break;
      case BinaryOp::UDiv: r = numeric::divide_unsigned(x, y, bits); break;
      case BinaryOp::SRem: r = numeric::remainder_signed(x, y, bits); break;
      case BinaryOp::URem: r = numeric::remainder_unsigned(x, y, bits); break;
      case BinaryOp::LShr: r = numeric::shift_right_logical(x, y, bits); break;
      case BinaryOp::AShr: r = numeric::shift_right_arithmetic(x, y, bits); break;
      case BinaryOp::And: r = numeric::bit_and(x, y, bits); break;
      case BinaryOp::Or: r = numeric::bit_or(x, y, bits); break;
      case BinaryOp::Xor: r = numeric::bit_xor(x, y, bits); break;
      default: break;
    }
    out = u.number(r);
  }
  return expression(site, s, SymbolKind::Binary, static_cast<std::uint8_t>(op), a, b, bits, 0, out);
}

FormId TopDownAnalysis::compare(const Site& site, State& s) {
  const auto operands = site.operands();
  const Predicate p = site.code().predicate();
  if (p >= Predicate::FFalse) return defined(site, s, u.number({0, 1}));
  const FormId a = evaluate(site, s, operands[0]);
  const FormId b = evaluate(site, s, operands[1]);
  const unsigned bits = operand_bits(site, operands[0]);
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
  return expression(site, s, SymbolKind::Compare, static_cast<std::uint8_t>(p), a, b, 1, bits, u.number({0, 1}));
}

FormId TopDownAnalysis::cast(const Site& site, State& s) {
  const FormId a = evaluate(site, s, site.operands()[0]);
  const CastOp op = site.code().cast_op();
  const unsigned from = operand_bits(site, site.operands()[0]);
  const unsigned to = bits_of(site.code().type);
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
      const FormId reduced = u.combine(u.constant(0), a, 1, to);
      return reduced ? reduced : a;
    }
    case CastOp::ZExt:
    case CastOp::SExt: {
      const Info i = u.infos[info];
      // The linear form survives if it is exact in the narrow width: no wrap-around, and not negative for zext.
      const Form f = u.forms[a];
      numeric::Wide low = f.constant;
      numeric::Wide high = f.constant;
      for (const Term& t : f.terms) {
        const Interval n = u.infos[d.info_of_symbol(s, t.symbol)].number;
        low += std::min(numeric::Wide{n.low} * t.factor, numeric::Wide{n.high} * t.factor);
        high += std::max(numeric::Wide{n.low} * t.factor, numeric::Wide{n.high} * t.factor);
      }
      const Interval narrow = Interval::of_width(from);
      const bool exact = !f.opaque && i.is_number() && low >= narrow.low && high <= narrow.high;
      if (exact && (op == CastOp::ZExt ? low >= 0 : from > 1)) return a;
      if (!i.is_number()) return u.opaque(u.with_addresses_of(u.any_number(to), info));
      Interval r = i.number;
      if (op == CastOp::ZExt && r.low < 0)
        r = from >= 63 ? Interval::of_width(to) : Interval{0, (std::int64_t{1} << from) - 1};
      if (op == CastOp::SExt && from == 1) r = r.is_constant() ? Interval::constant(-r.low) : Interval{-1, 0};
      return expression(site, s, SymbolKind::Extend, static_cast<std::uint8_t>(op), a, {}, to, from, u.number(r));
    }
    case CastOp::Bitcast:
    case CastOp::AddrSpaceCast:
      if (from == to) return a;
      break;
    default: break;
  }
  if (op == CastOp::Trunc && to == 1) {
    const Interval r = u.infos[info].number;
    if (u.infos[info].is_number() && r.low >= 0 && r.high <= 1) return a;  // a _Bool
    return defined(site, s, u.number({0, 1}));
  }
  if (!u.infos[info].is_number()) return defined(site, s, u.with_addresses_of(u.any_number(to), info));
  return defined(site, s, u.any_number(to));
}

FormId TopDownAnalysis::gep(const Site& site, State& s) {
  const auto operands = site.operands();
  const GepInfo& g = site.function->geps[site.code().extra];
  const unsigned bits = u.pointer_bits();
  FormId f = u.combine(evaluate(site, s, operands[0]), u.constant(g.constant_offset), 1, bits);
  for (std::size_t k = 1; f && k < operands.size(); ++k) {
    const FormId index = evaluate(site, s, operands[k]);
    // A narrow index is sign-extended: its form only survives that if it is one plain number.
    const bool survives =
        operand_bits(site, operands[k]) >= bits || u.forms[index].is_constant() || u.forms[index].is_symbol();
    f = survives ? u.combine(f, index, g.strides[k - 1], bits) : FormId();
  }
  if (f) return f;
  // Not linear: keep the objects, and the step where it is known.
  InfoId base = d.info_of(s, evaluate(site, s, operands[0]), bits);
  if (u.infos[base].any_address) return u.opaque(base);
  SymbolId whole = result_symbol(site);
  numeric::Wide fixed = g.constant_offset;
  numeric::Wide low = 0;
  numeric::Wide high = 0;
  std::uint64_t step = 0;
  for (std::size_t k = 1; k < operands.size(); ++k) {
    const Interval n = d.interval_of(s, evaluate(site, s, operands[k]), operand_bits(site, operands[k]));
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
  return defined(site, s, d.info_of(lent, sum, bits));
}

/// Objects are private before they are published; that orders what was done to them only if publication synchronises.
void TopDownAnalysis::check_publication(const Site& site, const State& s, FormId value) {
  const Info info = u.infos[d.info_of(s, value, u.pointer_bits())];
  if (!s.parallel || !info.addresses) return;
  const auto& targets = u.points_to[info.addresses].targets;
  const bool allocated = std::any_of(targets.begin(), targets.end(), [&](const Target& t) {
    const ObjectKind kind = u.objects[t.object].kind;
    return kind == ObjectKind::Heap || kind == ObjectKind::Stack || kind == ObjectKind::ThreadLocal;
  });
  if (allocated) obstacle(site, "the address of an object is passed on by an atomic access that orders nothing");
}

bool TopDownAnalysis::load(const Site& site, State& s) {
  const Type& type = program_.types[site.code().access_type];
  const FormId address = evaluate(site, s, site.operands()[0]);
  const std::uint64_t size = type.size_bytes();
  if (!access(site, s, address, size, AccessKind::Read, site.code().is_atomic())) return false;
  const unsigned bits = bits_of(site.code().type);
  if (size > 8) {
    assign(site, s, defined(site, s, u.unknown(64)));
    return true;
  }
  const FormId value = memory_.load(s, address, static_cast<std::uint32_t>(size), bits, result_symbol(site));
  const AtomicOrder order = site.code().order;
  if (site.code().is_atomic() && order != AtomicOrder::Acquire && order < AtomicOrder::AcqRel)
    check_publication(site, s, value);
  assign(site, s, value);
  return true;
}

bool TopDownAnalysis::store(const Site& site, State& s) {
  const Type& type = program_.types[site.code().access_type];
  const FormId address = evaluate(site, s, site.operands()[1]);
  const std::uint64_t size = type.size_bytes();
  if (!access(site, s, address, size, AccessKind::Write, site.code().is_atomic())) return false;
  FormId value = evaluate(site, s, site.operands()[0]);
  const unsigned bits = bits_of(site.code().access_type);
  if (size > 8) {
    memory_.store_blurred(s, address, d.info_of(s, value, 64));
    return true;
  }
  const auto bytes = static_cast<std::uint32_t>(size);
  const AtomicOrder order = site.code().order;
  if (site.code().is_atomic() && order != AtomicOrder::Release && order < AtomicOrder::AcqRel)
    check_publication(site, s, value);
  std::optional<std::int64_t> before;
  if (const auto name = lock_name(canonical(s, address));
      name && s.parallel && u.maps.contains(s.locks, section_lock().index())) {
    const FormId content = memory_.known_content(s, u.cell(name->object, name->offset, bytes, 0));
    const Interval number = content ? d.interval_of(s, content, bits) : Interval::empty();
    if (number.is_constant()) before = number.low;
  }
  const bool flag = change_flag(s, address, bytes, value, before, site.code().order);
  memory_.store(s, address, value, bytes, bits, flag);
  return true;
}

bool TopDownAnalysis::atomic_update(const Site& site, State& s) {
  const auto size = static_cast<std::uint32_t>(program_.types[site.code().access_type].size_bytes());
  const FormId address = evaluate(site, s, site.operands()[0]);
  const unsigned bits = bits_of(site.code().access_type);
  if (!access(site, s, address, size, AccessKind::Write, true)) return false;
  const FormId old = memory_.load(s, address, size, bits, result_symbol(site));
  const InfoId before = d.info_of(s, old, bits);
  const FormId given = evaluate(site, s, site.operands()[1]);  // only now: the load gave its name away
  const RmwOp op = site.code().rmw_op();
  FormId next;
  if (op == RmwOp::Add || op == RmwOp::Sub) next = u.combine(old, given, op == RmwOp::Add ? 1 : -1, bits);
  if (!next)
    next = u.opaque(u.with_addresses_of(u.with_addresses_of(u.any_number(bits), before), d.info_of(s, given, bits)));
  assign(site, s, old);
  memory_.store(s, evaluate(site, s, site.operands()[0]), next, size, bits);
  return true;
}

void TopDownAnalysis::extract_value(const Site& site, State& s) {
  const unsigned bits = bits_of(site.code().type);
  const Operand aggregate = site.operands()[0];
  const FormId value = evaluate(site, s, aggregate);
  const Function& f = *site.function;
  if (aggregate.is_value() && !f.is_parameter(aggregate.as_value()) &&
      f.instructions[f.definition(aggregate.as_value())].opcode == Opcode::CmpXchg) {
    const Instruction& exchange = f.instructions[f.definition(aggregate.as_value())];
    const auto done = constant_of(value);
    if (f.indices[site.code().extra] == std::vector<std::int32_t>{1}) {
      assign(site, s, done ? value : defined(site, s, u.number({0, 1})));
    } else {
      const FormId expected = evaluate(site, s, f.operands_of(exchange)[1]);
      State look = s;  // what the cell may hold now includes what was found there
      const auto size = static_cast<std::uint32_t>(program_.types[exchange.access_type].size_bytes());
      const FormId content =
          memory_.load(look, evaluate(site, s, f.operands_of(exchange)[0]), size, bits, result_symbol(site));
      const InfoId found = u.with_addresses_of(u.any_number(bits), d.info_of(look, content, bits));
      assign(site, s, done == 1 ? expected : defined(site, s, found));
    }
    return;
  }
  const InfoId whole = d.info_of(s, value, 64);
  assign(site, s, defined(site, s, bits == 1 ? u.number({0, 1}) : u.with_addresses_of(u.any_number(bits), whole)));
}

bool TopDownAnalysis::memory_copy(const Site& site, State& s) {
  const auto operands = site.operands();
  const bool is_set = site.code().opcode == Opcode::MemSet;
  const FormId destination = evaluate(site, s, operands[0]);
  const Interval length = d.interval_of(s, evaluate(site, s, operands[2]), operand_bits(site, operands[2]));
  if (length == Interval::constant(0)) return true;
  const bool known = length.is_constant();
  const std::uint64_t size = known ? static_cast<std::uint64_t>(length.low) : 1;
  if (is_set) {
    if (!access(site, s, destination, known ? size : 0, AccessKind::Write, false)) return false;
    const FormId byte = evaluate(site, s, operands[1]);
    memory_.set_bytes(s, destination, d.info_of(s, byte, 8), known ? length.low : -1);
    return true;
  }
  const FormId source = evaluate(site, s, operands[1]);
  if (!access(site, s, source, known ? size : 0, AccessKind::Read, false)) return false;
  if (!access(site, s, destination, known ? size : 0, AccessKind::Write, false)) return false;
  memory_.copy(s, destination, source, length.low, known);
  return true;
}

bool TopDownAnalysis::transfer_one(const Site& site, State& s) {
  const Instruction& code = site.code();
  switch (code.opcode) {
    case Opcode::Alloca: {
      const Interval count =
          d.interval_of(s, evaluate(site, s, site.operands()[0]), operand_bits(site, site.operands()[0]));
      const std::uint64_t each = program_.types[code.access_type].size_bytes();
      const std::uint64_t size = count.is_constant() ? each * static_cast<std::uint64_t>(count.low) : 0;
      assign(site, s,
             memory_.allocate(s, ObjectKind::Stack, site.context, thread_of(site), site.instruction, size, false));
      return true;
    }
    case Opcode::Load: return load(site, s);
    case Opcode::Store: return store(site, s);
    case Opcode::AtomicRmw: return atomic_update(site, s);
    case Opcode::MemCopy:
    case Opcode::MemSet: return memory_copy(site, s);
    case Opcode::Fence: return true;
    case Opcode::Gep: assign(site, s, gep(site, s)); return true;
    case Opcode::Binary: assign(site, s, binary(site, s)); return true;
    case Opcode::Compare: assign(site, s, compare(site, s)); return true;
    case Opcode::Cast: assign(site, s, cast(site, s)); return true;
    case Opcode::Freeze: assign(site, s, evaluate(site, s, site.operands()[0])); return true;
    case Opcode::FNeg: assign(site, s, defined(site, s, u.any_number(bits_of(code.type)))); return true;
    case Opcode::Select: {
      const auto operands = site.operands();
      const FormId condition = evaluate(site, s, operands[0]);
      const FormId a = evaluate(site, s, operands[1]);
      const FormId b = evaluate(site, s, operands[2]);
      State t = s;
      State f = s;
      if (!d.assume(t, condition, 1, true)) return assign(site, s, b), true;
      if (!d.assume(f, condition, 1, false)) return assign(site, s, a), true;
      const unsigned bits = bits_of(code.type);
      assign(site, s,
             a == b && !u.forms[a].opaque ? a : defined(site, s, u.join(d.info_of(t, a, bits), d.info_of(f, b, bits))));
      return true;
    }
    case Opcode::ExtractValue: extract_value(site, s); return true;
    case Opcode::VaArg:
      obstacle(site, "a variable argument list is read");
      assign(site, s, defined(site, s, u.unknown(bits_of(code.type))));
      return true;
    case Opcode::InsertValue:
    case Opcode::ExtractElement:
    case Opcode::InsertElement:
    case Opcode::ShuffleVector:
    case Opcode::LandingPad: assign(site, s, defined(site, s, u.unknown(bits_of(code.type)))); return true;
    case Opcode::Unsupported:
      obstacle(site, "an instruction heddle does not treat: " + site.function->texts[code.extra]);
      return true;
    default: return true;
  }
}

}  // namespace heddle::summary
