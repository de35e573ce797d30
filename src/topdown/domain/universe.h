// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Universe: the words the product domain speaks in. All of them are interned, so that equality is equality of ids.
//
//   Object    an abstract piece of memory: a global, a stack slot or an allocation in a calling context, a function.
//             Allocations come in two: the *fresh* one (the newest, known to its thread alone, exactly one concrete
//             object) and the *settled* one (all others: older ones, and everything other threads may know).
//   Cell      some bytes of an object: one place (stride 0), or every place of a step from a first to a last one (an
//             array's elements). Where the ends are not known, they lie outside of every object.
//   Symbol    an unknown but fixed number: the address of an object, what a load returned, a merged value, an
//             expression.
//   Form      a linear expression over symbols, modulo 2^width: `&a + 24·i + 8`. This is what values, addresses and
//             held locks are. Equal forms are equal numbers; so `p->lock` and `p->x` are one symbol and two constants.
//             An *opaque* form is a value without identity, described by an Info alone.
//   Info      what is known of a number: an interval, one excluded number, and the objects it may be an address of.
#pragma once
#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "base/hash_index.h"
#include "base/id.h"
#include "base/table.h"
#include "flow/map_store.h"
#include "numeric/interval.h"
#include "program/model/program.h"
#include "threads/thread_table.h"
#include "topdown/domain/team_labels.h"

namespace heddle::topdown {

using numeric::Interval;
using threads::Context;
using threads::ContextId;
using threads::ThreadId;

struct Object;
struct Cell;
struct Symbol;
struct Form;
struct Info;
struct PointsTo;
using ObjectId = Id<Object>;
using CellId = Id<Cell>;
using SymbolId = Id<Symbol>;
using FormId = Id<Form>;
using InfoId = Id<Info>;
using PointsToId = Id<PointsTo>;

enum class ObjectKind : std::uint8_t {
  Global,       ///< a = GlobalId
  ThreadLocal,  ///< a = GlobalId; one per thread
  Function,     ///< a = FunctionId
  Stack,        ///< a = instruction, in `context`
  Heap,         ///< a = instruction, in `context`
  Handle,       ///< the identity of thread `thread`; pthread_t values point to it
  Key,          ///< a thread-specific-data key: a = instruction, in `context`; of a library: `name`
  TlsValue,     ///< what one thread keeps under a key: a = key object
  Section,      ///< the one lock of atomic sections
  Hidden,       ///< state inside a library: `name`
  External,     ///< memory of the world outside: what undefined functions return and argv
};

struct Object {
  ObjectKind kind = ObjectKind::External;
  bool fresh = false;
  bool zeroed = false;  ///< initial content is zero (globals: their image)
  std::uint32_t a = 0;
  ContextId context;
  ThreadId thread;         ///< whose; none if everybody's
  std::uint64_t size = 0;  ///< bytes; 0 if not known
  bool has_size = false;   ///< a size was given, if only "not known": that never goes away again
  ObjectId settled;        ///< of a fresh object: where it goes when published or superseded
  std::string name;
  std::vector<CellId> cells;                           ///< all ever named
  std::vector<CellId> strided;                         ///< those of them that are places of a step
  std::map<std::int64_t, std::vector<CellId>> single;  ///< the others, by offset
  std::uint32_t widest = 0;                            ///< of `single`
  bool many = false;  ///< stands for several concrete objects; only grows, over all rounds
};

struct Cell {
  ObjectId object;
  std::int64_t offset = 0;  ///< of the first place
  std::int64_t last = 0;    ///< of the last place
  std::uint32_t size = 0;   ///< of each
  std::uint32_t stride = 0;
  static Cell single(ObjectId object, std::int64_t offset, std::uint32_t size) {
    return {object, offset, offset, size, 0};
  }
  [[nodiscard]] std::int64_t end() const { return last + size; }
};

enum class SymbolKind : std::uint8_t {
  Address,      ///< a = object
  Defined,      ///< result of instruction value b in context a
  MergedValue,  ///< a = context, b = block, c = environment key
  MergedCell,   ///< a = context, b = block, c = cell
  Frozen,       ///< the value of cell a, which nobody writes while threads run: the same for everyone
  Argument,     ///< what thread a was given
  Own,          ///< a share of the thread (TeamLabels): detail = OwnPart, a = label; another number for each of a team
  Former,       ///< the address of the latest object that settled into object a, which stands for several
  Binary,       ///< detail = BinaryOp; a, b = operand forms
  Compare,      ///< detail = Predicate; a, b = operand forms
  Extend,       ///< detail = CastOp; a = operand form, b = its width
};

enum class OwnPart : std::uint8_t { Low, High, One };

struct Symbol {
  SymbolKind kind = SymbolKind::Defined;
  std::uint8_t detail = 0;
  std::uint8_t bits = 0;
  std::uint8_t depth = 0;
  std::uint32_t a = 0, b = 0, c = 0;
  std::vector<SymbolId> depends;  ///< sorted; the symbols an expression is made of, transitively
};

struct Term {
  SymbolId symbol;
  std::int64_t factor = 1;
  friend bool operator==(const Term&, const Term&) = default;
  friend auto operator<=>(const Term&, const Term&) = default;
};

struct Form {
  std::int64_t constant = 0;
  std::vector<Term> terms;  ///< sorted by symbol, factors not zero
  InfoId opaque;            ///< valid: no identity; constant and terms unused
  friend auto operator<=>(const Form&, const Form&) = default;
  [[nodiscard]] bool is_constant() const { return !opaque && terms.empty(); }
  [[nodiscard]] bool is_symbol() const { return !opaque && constant == 0 && terms.size() == 1 && terms[0].factor == 1; }
};

/// Without its sign; of the least number, too.
[[nodiscard]] constexpr std::uint64_t magnitude(std::int64_t number) {
  return number < 0 ? 0 - static_cast<std::uint64_t>(number) : static_cast<std::uint64_t>(number);
}

/// An offset beyond this is no offset any more: the target's whole object is meant.
inline constexpr std::int64_t far = std::int64_t{1} << 40;

struct Target {
  ObjectId object;
  std::int64_t low = 0;
  std::int64_t high = 0;
  std::uint64_t stride = 0;  ///< 0 iff low == high
  friend auto operator<=>(const Target&, const Target&) = default;
};

struct PointsTo {
  std::vector<Target> targets;  ///< sorted by object, one each
  friend auto operator<=>(const PointsTo&, const PointsTo&) = default;
};

struct Info {
  Interval number;  ///< empty: surely an address
  bool has_excluded = false;
  bool any_address = false;   ///< may be the address of anything
  std::int64_t excluded = 0;  ///< not this number
  PointsToId addresses;       ///< none: surely not an address
  friend auto operator<=>(const Info&, const Info&) = default;
  [[nodiscard]] bool is_bottom() const { return number.is_empty() && !any_address && !addresses; }
  [[nodiscard]] bool is_number() const { return !any_address && !addresses; }
};

/// A number that a counter dealt out: the content of `counter` from which the thread stepped it on, which is the symbol
/// that this is of plus `offset`.
struct Ticket {
  CellId counter;
  std::int64_t offset = 0;
  friend auto operator<=>(const Ticket&, const Ticket&) = default;
};
using TicketId = Id<Ticket>;

class Universe {
 public:
  Universe(const Program& program, threads::ThreadTable& threads) : program(program), threads(threads) {}

  const Program& program;
  threads::ThreadTable& threads;
  flow::MapStore maps;
  Table<Object> objects;
  Table<Cell> cells;
  Table<Symbol> symbols;
  Table<Form> forms;
  Table<Info> infos;
  Table<PointsTo> points_to;
  Table<Ticket> tickets;
  TeamLabels team_labels;
  /// If not, an object on stack or heap that is `many` may be one of a state although State::allocated lacks it.
  bool lists_allocations = true;

  // objects
  ObjectId object(ObjectKind kind, std::uint32_t a, ContextId context, ThreadId thread, bool fresh,
                  const std::string& name = {});
  ObjectId global_object(GlobalId global);
  /// A thread's own instance: fresh, since no other thread knows it before its address is published.
  ObjectId thread_local_object(GlobalId global, ThreadId thread);
  ObjectId function_object(FunctionId function);
  [[nodiscard]] bool is_singleton(ObjectId object) const;  ///< one concrete object, for everybody
  [[nodiscard]] bool is_shared(ObjectId object) const { return !objects[object].fresh; }
  [[nodiscard]] std::string describe(ObjectId object) const;

  // cells
  /// One place (stride 0), or every place of a step that `offset` is one of, without ends.
  CellId cell(ObjectId object, std::int64_t offset, std::uint32_t size, std::uint32_t stride);
  /// The places of a target. A step too wide for a cell is taken as every byte, and an object that has very many cells
  /// with ends gets none any more: then the ends are left out.
  CellId cell_of(const Target& t, std::uint32_t size);
  /// The same places in another object.
  CellId cell_in(ObjectId object, Cell cell) {
    cell.object = object;
    return named(cell);
  }
  [[nodiscard]] static bool overlap(const Cell& a, const Cell& b);
  /// Both have the same step, and each place of the second is one of the first.
  [[nodiscard]] static bool covers(const Cell& a, const Cell& b);
  /// Where places of the two meet, they are the same bytes: what was stored in one is read from the other as it is.
  [[nodiscard]] static bool fit(const Cell& a, const Cell& b);
  /// The cells of its object that overlap with it, itself among them if it has been named; in the order of their ids.
  /// Costs their number, not that of all cells, unless places of a step are among them.
  [[nodiscard]] std::vector<CellId> overlapping(const Cell& cell) const;

  // symbols and forms
  SymbolId symbol(Symbol s);
  SymbolId address_symbol(ObjectId object) {
    return symbol({.kind = SymbolKind::Address, .bits = pointer_bits(), .a = object.index(), .depends = {}});
  }
  SymbolId frozen_symbol(CellId cell) {
    if (frozen_.size() <= cell.index()) frozen_.resize(cell.index() + 1);
    SymbolId& known = frozen_[cell.index()];
    if (!known)
      known = symbol({.kind = SymbolKind::Frozen,
                      .bits = static_cast<std::uint8_t>(width_of_cell(cell)),
                      .a = cell.index(),
                      .depends = {}});
    return known;
  }
  /// None if nobody has asked for it so far.
  [[nodiscard]] SymbolId known_frozen_symbol(CellId cell) const {
    return cell.index() < frozen_.size() ? frozen_[cell.index()] : SymbolId();
  }
  FormId form(Form f);
  FormId constant(std::int64_t value) { return form({.constant = value, .terms = {}, .opaque = {}}); }
  FormId of_symbol(SymbolId s, std::int64_t plus = 0) {
    return form({.constant = plus, .terms = {{s, 1}}, .opaque = {}});
  }
  FormId opaque(InfoId info);
  FormId address_of(ObjectId object, std::int64_t offset = 0) { return of_symbol(address_symbol(object), offset); }
  /// The constant a form is; none if it is not one.
  [[nodiscard]] std::optional<std::int64_t> constant_of(FormId f) const {
    if (!f || !forms[f].is_constant()) return std::nullopt;
    return forms[f].constant;
  }
  /// a + factor·b; none if too many terms or either is opaque.
  FormId combine(FormId a, FormId b, std::int64_t factor, unsigned bits);
  [[nodiscard]] bool mentions(FormId f, SymbolId s) const;  ///< itself or inside an expression

  TicketId ticket(const Ticket& ticket);

  // infos
  InfoId info(Info i);
  InfoId number(Interval i) {
    return info({.number = i, .has_excluded = false, .any_address = false, .excluded = 0, .addresses = {}});
  }
  InfoId any_number(unsigned bits) { return number(Interval::of_width(bits)); }
  InfoId addresses(std::vector<Target> targets);
  InfoId unknown(unsigned bits);  ///< any number, any address
  InfoId join(InfoId a, InfoId b);
  InfoId widen(InfoId old, InfoId next, const std::vector<std::int64_t>& thresholds);
  InfoId with_addresses_of(InfoId base, InfoId other);  ///< base, and whatever addresses other may be
  /// `thresholds`: what grows is widened to them; none: joined.
  PointsToId join_points_to(PointsToId a, PointsToId b, const std::vector<std::int64_t>* thresholds);

  [[nodiscard]] std::uint8_t pointer_bits() const { return static_cast<std::uint8_t>(program.layout.pointer_bits); }
  /// The key of a value in State::environment; ValueId(value_count()) is the function's return slot.
  [[nodiscard]] std::uint32_t environment_key(ContextId context, ValueId value);
  /// The width of the value a key stands for, in bits.
  [[nodiscard]] unsigned width_of_key(std::uint32_t key) const;
  [[nodiscard]] unsigned width_of_cell(CellId cell) const { return std::min<unsigned>(cells[cell].size * 8, 64); }
  [[nodiscard]] unsigned width_of_type(TypeId type) const;
  [[nodiscard]] std::size_t bytes() const;

 private:
  CellId named(const Cell& cell);
  struct CellHash {
    std::uint64_t operator()(const Cell& cell) const;
  };
  struct SameCell {
    bool operator()(const Cell& a, const Cell& b) const;
  };
  struct SymbolHash {
    std::uint64_t operator()(const Symbol& symbol) const;
  };
  struct SameSymbol {  ///< what it depends on follows from the rest
    bool operator()(const Symbol& a, const Symbol& b) const;
  };
  struct FormHash {
    std::uint64_t operator()(const Form& form) const;
  };
  struct InfoHash {
    std::uint64_t operator()(const Info& info) const;
  };
  struct PointsToHash {
    std::uint64_t operator()(const PointsTo& all) const;
  };
  std::map<std::tuple<ObjectKind, std::uint32_t, ContextId, ThreadId, bool, std::string>, ObjectId> object_ids_;
  HashIndex<Cell, CellHash, SameCell> cell_ids_;
  HashIndex<Symbol, SymbolHash, SameSymbol> symbol_ids_;
  HashIndex<Form, FormHash> form_ids_;
  HashIndex<Info, InfoHash> info_ids_;
  HashIndex<PointsTo, PointsToHash> points_to_ids_;
  std::map<Ticket, TicketId> ticket_ids_;
  std::vector<SymbolId> frozen_;  ///< by cell
  std::vector<std::uint32_t> environment_base_;
  std::uint32_t next_environment_ = 0;
};

}  // namespace heddle::topdown
