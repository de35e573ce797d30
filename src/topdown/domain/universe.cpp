// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "topdown/domain/universe.h"

#include <algorithm>
#include <numeric>

namespace heddle::topdown {

namespace {
constexpr std::size_t most_terms = 3;
constexpr std::size_t most_strided = 32;  ///< cells of one object that are places of a step, before ends are left out

/// Outside of every object, and of every offset that stands for one.
constexpr std::int64_t endless = std::int64_t{1} << 60;

/// The ends of a target that are so far out stand for "anywhere", moved or not.
constexpr std::int64_t widest_object = far / 2;

/// All places of the step that `offset` is one of.
Cell without_ends(ObjectId object, std::int64_t offset, std::uint32_t size, std::uint32_t stride) {
  const std::int64_t rest = ((offset % stride) + stride) % stride;
  const std::int64_t reach = endless / stride * stride;
  return {object, rest - reach, rest + reach, size, stride};
}
}  // namespace

ObjectId Universe::object(ObjectKind kind, std::uint32_t a, ContextId context, ThreadId thread, bool fresh,
                          const std::string& name) {
  const auto [it, inserted] = object_ids_.try_emplace({kind, a, context, thread, fresh, name});
  if (inserted) {
    Object o;
    o.kind = kind;
    o.a = a;
    o.context = context;
    o.thread = thread;
    o.fresh = fresh;
    o.name = name;
    it->second = objects.add(o);
  }
  return it->second;
}

ObjectId Universe::global_object(GlobalId id) {
  const ObjectId o = object(ObjectKind::Global, id.index(), {}, {}, false);
  objects[o].size = program.globals[id].size;
  return o;
}

ObjectId Universe::thread_local_object(GlobalId id, ThreadId thread) {
  const ObjectId fresh = object(ObjectKind::ThreadLocal, id.index(), {}, thread, true);
  if (!objects[fresh].settled) {
    const ObjectId to = object(ObjectKind::ThreadLocal, id.index(), {}, thread, false);
    objects[fresh].settled = to;
    objects[fresh].size = objects[to].size = program.globals[id].size;
  }
  return fresh;
}

ObjectId Universe::function_object(FunctionId id) { return object(ObjectKind::Function, id.index(), {}, {}, false); }

bool Universe::is_singleton(ObjectId id) const {
  const Object& o = objects[id];
  if (o.many) return false;
  switch (o.kind) {
    case ObjectKind::External: return false;
    case ObjectKind::ThreadLocal:
    case ObjectKind::TlsValue:
    case ObjectKind::Stack:
    case ObjectKind::Heap:
    case ObjectKind::Key:
    case ObjectKind::Handle: return o.fresh || !o.thread || !threads.threads[o.thread].multiple;
    default: return true;
  }
}

std::string Universe::describe(ObjectId id) const {
  const Object& o = objects[id];
  switch (o.kind) {
    case ObjectKind::Global:
    case ObjectKind::ThreadLocal: {
      const Global& g = program.globals[GlobalId(o.a)];
      return std::string(g.shown_name());
    }
    case ObjectKind::Function: return std::string(program.functions[FunctionId(o.a)].name);
    case ObjectKind::Stack:
    case ObjectKind::Heap: {
      const Function& f = program.functions[threads.contexts[o.context].function];
      if (o.kind == ObjectKind::Heap) return "allocation at " + program.where(f.instructions[o.a].location);
      for (const ValueName& n : f.names)
        if (n.names_memory && n.value == f.result_of(o.a)) return std::string(n.name);
      return "temporary of " + std::string(f.shown_name());
    }
    case ObjectKind::Handle: return "thread handle";
    case ObjectKind::Key: return "thread-specific key";
    case ObjectKind::TlsValue: return "thread-specific value";
    case ObjectKind::Section: return "atomic section";
    case ObjectKind::Hidden: return "state inside the library: " + o.name;
    case ObjectKind::External: return "memory from outside the program";
  }
  return "?";
}

CellId Universe::cell(ObjectId object, std::int64_t offset, std::uint32_t size, std::uint32_t stride) {
  return named(stride == 0 ? Cell::single(object, offset, size) : without_ends(object, offset, size, stride));
}

CellId Universe::cell_of(const Target& t, std::uint32_t size) {
  if (t.stride == 0) return cell(t.object, t.low, size, 0);
  const std::uint32_t stride = t.stride > 0xffffffffULL ? 1 : static_cast<std::uint32_t>(t.stride);
  Cell wanted = without_ends(t.object, t.low, size, stride);
  if (t.low > -widest_object) wanted.offset = t.low;
  if (t.high < widest_object) wanted.last = t.high;
  const std::vector<CellId>& named_so_far = objects[t.object].strided;
  if (named_so_far.size() >= most_strided &&
      std::ranges::none_of(named_so_far, [&](CellId c) { return SameCell{}(cells[c], wanted); }))
    return cell(t.object, t.low, size, stride);
  return named(wanted);
}

CellId Universe::named(const Cell& cell) {
  bool is_new = false;
  const CellId id = cell_ids_.intern(cells, cell, &is_new);
  if (!is_new) return id;
  Object& o = objects[cell.object];
  o.cells.push_back(id);
  if (cell.stride > 0) {
    o.strided.push_back(id);
  } else {
    o.single[cell.offset].push_back(id);
    o.widest = std::max(o.widest, cell.size);
  }
  return id;
}

std::vector<CellId> Universe::overlapping(const Cell& cell) const {
  const Object& o = objects[cell.object];
  std::vector<CellId> out;
  const auto add = [&](const std::vector<CellId>& some) {
    std::ranges::copy_if(some, std::back_inserter(out), [&](CellId other) { return overlap(cell, cells[other]); });
  };
  for (auto at = o.single.lower_bound(cell.offset - o.widest); at != o.single.end() && at->first < cell.end(); ++at)
    add(at->second);
  add(o.strided);
  std::ranges::sort(out);
  return out;
}

bool Universe::overlap(const Cell& a, const Cell& b) {
  if (a.object != b.object || a.offset >= b.end() || b.offset >= a.end()) return false;
  if (a.stride == 0 && b.stride == 0) return true;
  const std::int64_t g = std::gcd(static_cast<std::int64_t>(a.stride), static_cast<std::int64_t>(b.stride));
  const std::int64_t difference = (((a.offset - b.offset) % g) + g) % g;  // where a begins behind some b
  return difference < b.size || g - difference < a.size;
}

bool Universe::covers(const Cell& a, const Cell& b) {
  return a.object == b.object && a.size == b.size && a.stride == b.stride && a.stride != 0 && a.offset <= b.offset &&
         a.last >= b.last && (a.offset - b.offset) % static_cast<std::int64_t>(a.stride) == 0;
}

bool Universe::fit(const Cell& a, const Cell& b) {
  if (a.size != b.size) return false;
  if (a.stride == 0 && b.stride == 0) return a.offset == b.offset;
  // Places that differ, differ by a multiple of this. If it is less than their size, they may meet in a part.
  const std::int64_t g = std::gcd(static_cast<std::int64_t>(a.stride), static_cast<std::int64_t>(b.stride));
  return g >= a.size && (a.offset - b.offset) % g == 0;
}

std::uint64_t Universe::CellHash::operator()(const Cell& cell) const {
  const std::uint64_t places =
      mixed(mixed(cell.object.index(), static_cast<std::uint64_t>(cell.offset)), static_cast<std::uint64_t>(cell.last));
  return mixed(mixed(places, cell.size), cell.stride);
}

bool Universe::SameCell::operator()(const Cell& a, const Cell& b) const {
  return a.object == b.object && a.offset == b.offset && a.last == b.last && a.size == b.size && a.stride == b.stride;
}

std::uint64_t Universe::SymbolHash::operator()(const Symbol& s) const {
  const std::uint64_t kind = std::uint64_t{static_cast<std::uint8_t>(s.kind)} << 16 | s.detail << 8 | s.bits;
  return mixed(mixed(mixed(kind, s.a), s.b), s.c);
}

bool Universe::SameSymbol::operator()(const Symbol& x, const Symbol& y) const {
  return x.kind == y.kind && x.detail == y.detail && x.bits == y.bits && x.a == y.a && x.b == y.b && x.c == y.c;
}

std::uint64_t Universe::FormHash::operator()(const Form& form) const {
  std::uint64_t hash = mixed(static_cast<std::uint64_t>(form.constant), form.opaque ? form.opaque.index() + 1 : 0);
  for (const Term& term : form.terms)
    hash = mixed(mixed(hash, term.symbol.index()), static_cast<std::uint64_t>(term.factor));
  return hash;
}

std::uint64_t Universe::InfoHash::operator()(const Info& info) const {
  const std::uint64_t flags = (info.has_excluded ? 1U : 0U) | (info.any_address ? 2U : 0U);
  std::uint64_t hash = mixed(static_cast<std::uint64_t>(info.number.low), static_cast<std::uint64_t>(info.number.high));
  hash = mixed(mixed(hash, flags), static_cast<std::uint64_t>(info.excluded));
  return mixed(hash, info.addresses ? info.addresses.index() + 1 : 0);
}

std::uint64_t Universe::PointsToHash::operator()(const PointsTo& all) const {
  std::uint64_t hash = all.targets.size();
  for (const Target& target : all.targets) {
    hash = mixed(mixed(hash, target.object.index()), static_cast<std::uint64_t>(target.low));
    hash = mixed(mixed(hash, static_cast<std::uint64_t>(target.high)), target.stride);
  }
  return hash;
}

TicketId Universe::ticket(const Ticket& ticket) {
  const auto [at, is_new] = ticket_ids_.try_emplace(ticket);
  if (is_new) at->second = tickets.add(ticket);
  return at->second;
}

SymbolId Universe::symbol(Symbol s) { return symbol_ids_.intern(symbols, std::move(s)); }

FormId Universe::form(Form f) { return form_ids_.intern(forms, std::move(f)); }

FormId Universe::opaque(InfoId i) {
  const Info& in = infos[i];
  if (in.is_number() && in.number.is_constant()) return constant(in.number.low);
  return form({.constant = 0, .terms = {}, .opaque = i});
}

FormId Universe::combine(FormId a, FormId b, std::int64_t factor, unsigned bits) {
  const Form& fa = forms[a];
  const Form& fb = forms[b];
  if (fa.opaque || fb.opaque) return {};
  auto mul = [](std::int64_t x, std::int64_t y) {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(x) * static_cast<std::uint64_t>(y));
  };
  auto add = [](std::int64_t x, std::int64_t y) {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(x) + static_cast<std::uint64_t>(y));
  };
  auto reduce = [bits](std::int64_t x) { return numeric::sign_extend(static_cast<std::uint64_t>(x), bits); };
  Form out;
  out.constant = reduce(add(fa.constant, mul(fb.constant, factor)));
  auto i = fa.terms.begin();
  auto k = fb.terms.begin();
  while (i != fa.terms.end() || k != fb.terms.end()) {
    Term t;
    if (k == fb.terms.end() || (i != fa.terms.end() && i->symbol < k->symbol)) {
      t = *i++;
    } else if (i == fa.terms.end() || k->symbol < i->symbol) {
      t = {k->symbol, mul(k->factor, factor)};
      ++k;
    } else {
      t = {i->symbol, add(i->factor, mul(k->factor, factor))};
      ++i, ++k;
    }
    t.factor = reduce(t.factor);
    if (t.factor != 0) out.terms.push_back(t);
  }
  if (out.terms.size() > most_terms) return {};
  return form(std::move(out));
}

bool Universe::mentions(FormId f, SymbolId s) const {
  for (const Term& t : forms[f].terms) {
    if (t.symbol == s) return true;
    const auto& d = symbols[t.symbol].depends;
    if (std::binary_search(d.begin(), d.end(), s)) return true;
  }
  return false;
}

std::uint32_t Universe::environment_key(ContextId context, ValueId value) {
  while (environment_base_.size() <= context.index()) {
    environment_base_.push_back(next_environment_);
    const FunctionId f = threads.contexts[ContextId(environment_base_.size() - 1)].function;
    next_environment_ += static_cast<std::uint32_t>(program.functions[f].value_count() + 1);
  }
  return environment_base_[context.index()] + value.index();
}

unsigned Universe::width_of_type(TypeId type) const {
  if (!type) return 64;
  const Type& t = program.types[type];
  switch (t.kind) {
    case TypeKind::Int: return static_cast<unsigned>(std::min<std::uint64_t>(t.value_bits, 64));
    case TypeKind::Pointer: return program.layout.pointer_bits;
    default: return static_cast<unsigned>(std::clamp<std::uint64_t>(t.size_bits, 1, 64));
  }
}

unsigned Universe::width_of_key(std::uint32_t key) const {
  const auto next = std::upper_bound(environment_base_.begin(), environment_base_.end(), key);
  if (next == environment_base_.begin()) return 64;
  const auto context = static_cast<std::size_t>(next - environment_base_.begin()) - 1;
  const Function& f = program.functions[threads.contexts[ContextId(context)].function];
  const ValueId value(key - environment_base_[context]);
  if (value.index() == f.value_count()) return width_of_type(f.type ? program.types[f.type].element : TypeId());
  return width_of_type(f.is_parameter(value) ? f.parameters[value.index()] : f.instructions[f.definition(value)].type);
}

std::size_t Universe::bytes() const {
  return maps.bytes() + (forms.size() + infos.size() + symbols.size() + cells.size()) * 160;
}

}  // namespace heddle::topdown
