// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "topdown/domain/state_text.h"

#include <ostream>

namespace heddle::topdown {
namespace {

std::string interval_text(Interval i) {
  if (i.is_constant()) return std::to_string(i.low);
  for (const unsigned bits : {8U, 16U, 32U, 64U})
    if (i == Interval::of_width(bits)) return "any number of " + std::to_string(bits) + " bits";
  return std::to_string(i.low) + ".." + std::to_string(i.high);
}

}  // namespace

std::string StateText::form(FormId id) {
  const Form& f = u_.forms[id];
  if (f.opaque) return "(" + info(f.opaque) + ")";
  std::string out;
  for (const Term& term : f.terms) {
    const Symbol& symbol = u_.symbols[term.symbol];
    out += out.empty() ? "" : " + ";
    if (term.factor != 1) out += std::to_string(term.factor) + "·";
    if (symbol.kind == SymbolKind::Address) {
      out += "&" + object(ObjectId(symbol.a));
    } else {
      out += "#" + std::to_string(term.symbol.index());
      mentioned_.insert(term.symbol);
    }
  }
  if (out.empty()) return std::to_string(f.constant);
  return f.constant == 0 ? out : out + (f.constant < 0 ? " - " : " + ") + std::to_string(std::abs(f.constant));
}

std::string StateText::info(InfoId id) const {
  const Info& i = u_.infos[id];
  std::string out = i.number.is_empty() ? "" : interval_text(i.number);
  if (i.has_excluded) out += (out.empty() ? "" : ", ") + ("not " + std::to_string(i.excluded));
  if (i.any_address) out += (out.empty() ? "" : ", ") + std::string("any address");
  if (!i.addresses) return out;
  for (const Target& target : u_.points_to[i.addresses].targets) {
    out += (out.empty() ? "&" : ", &") + object(target.object);
    if (target.low != 0 || target.high != 0) out += "+" + interval_text({target.low, target.high});
    if (target.stride > 1) out += " by " + std::to_string(target.stride);
  }
  return out;
}

std::string StateText::object(ObjectId id) const {
  const ObjectKind kind = u_.objects[id].kind;
  const bool is_allocation = kind == ObjectKind::Stack || kind == ObjectKind::Heap;
  return u_.describe(id) + (u_.objects[id].fresh && is_allocation ? " (the newest)" : "");
}

std::string StateText::cell(const Cell& cell) const {
  const bool has_begin = cell.offset > -far;
  const std::int64_t stride = cell.stride;
  const std::int64_t first = has_begin ? cell.offset : ((cell.offset % stride) + stride) % stride;
  std::string out = object(cell.object) + "[" + std::to_string(first) + ".." + std::to_string(first + cell.size) + ")";
  if (stride == 0) return out;
  out += " every " + std::to_string(stride);
  if (has_begin && cell.last < far) return out + " to " + std::to_string(cell.end());
  return out + (has_begin ? " upwards" : cell.last < far ? " downwards from " + std::to_string(cell.last) : "");
}

std::string StateText::thread(ThreadId id) const {
  const threads::Thread& thread = u_.threads.threads[id];
  std::string out(u_.program.functions[thread.entry].name);
  if (!thread.creator) return out;
  const Function& creator = u_.program.functions[u_.threads.contexts[thread.creator].function];
  return out + " at " + u_.program.where(creator.instructions[thread.created_by].location);
}

void StateText::print_threads(std::ostream& out, const State& s) {
  out << "    " << (s.parallel ? "other threads may run" : "no other thread runs") << '\n';
  u_.maps.for_each(s.locks, [&](std::uint32_t lock, std::uint32_t number) {
    const locks::Hold hold = to_hold(number);
    out << "    locks   " << form(FormId(lock)) << (hold.mode == locks::Mode::Shared ? " shared" : "")
        << (hold.count > 1 ? " more than once" : "") << '\n';
  });
  u_.maps.for_each(s.history, [&](std::uint32_t lock, std::uint32_t since) {
    out << "    since   " << form(FormId(lock)) << ':';
    u_.maps.for_each(since, [&](std::uint32_t taken, std::uint32_t mode) {
      out << ' ' << form(FormId(taken)) << (static_cast<locks::Mode>(mode) == locks::Mode::Shared ? " shared" : "");
    });
    out << '\n';
  });
  u_.maps.for_each(s.seen, [&](std::uint32_t id, std::uint32_t info) {
    const Interval number = u_.infos[InfoId(info)].number;
    out << "    was     " << cell(u_.cells[CellId(id)]) << " in [" << number.low << ", " << number.high << "]\n";
  });
  u_.maps.for_each(s.tickets, [&](std::uint32_t symbol, std::uint32_t id) {
    const Ticket& ticket = u_.tickets[TicketId(id)];
    out << "    ticket  " << form(u_.of_symbol(SymbolId(symbol), ticket.offset)) << " of "
        << cell(u_.cells[ticket.counter]) << '\n';
  });
  u_.maps.for_each(s.teams, [&](std::uint32_t team, std::uint32_t place) {
    out << "    team    " << u_.describe(ObjectId(team)) << ", phase " << TeamPlace::from(place).phase << '\n';
  });
  u_.maps.for_each(s.created, [&](std::uint32_t id, std::uint32_t times) {
    out << "    created " << thread(ThreadId(id)) << (times > 1 ? " (several)" : "") << '\n';
  });
  u_.maps.for_each(s.joined,
                   [&](std::uint32_t id, std::uint32_t) { out << "    ended   " << thread(ThreadId(id)) << '\n'; });
}

void StateText::print_values(std::ostream& out, ContextId context, const State& s) {
  const Function& function = u_.program.functions[u_.threads.contexts[context].function];
  for (std::uint32_t value = 0; value < function.value_count(); ++value)
    if (const auto held = u_.maps.find(s.environment, u_.environment_key(context, ValueId(value))))
      out << "    %" << value << " = " << form(FormId(*held)) << '\n';
  u_.maps.for_each(s.memory, [&](std::uint32_t id, std::uint32_t held) {
    out << "    " << cell(u_.cells[CellId(id)]) << " = " << form(FormId(held)) << '\n';
  });
}

void StateText::print_symbols(std::ostream& out, const State& s) {
  const auto bound = [&](MapId bounds, SymbolId symbol, const char* sign) {
    if (const auto other = u_.maps.find(bounds, symbol.index())) out << ", " << sign << ' ' << form(FormId(*other));
  };
  const std::set<SymbolId> shown = mentioned_;
  for (const SymbolId symbol : shown) {
    const auto known = u_.maps.find(s.infos, symbol.index());
    out << "    #" << symbol.index() << "     " << (known ? info(InfoId(*known)) : "anything");
    bound(s.upper, symbol, "at most");
    bound(s.lower, symbol, "at least");
    out << '\n';
  }
  mentioned_.clear();
}

void StateText::print(std::ostream& out, ContextId context, const State& s) {
  print_threads(out, s);
  print_values(out, context, s);
  print_symbols(out, s);
}

}  // namespace heddle::topdown
