// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program/link/link_copy.h"

#include "program/link/link_types.h"

namespace heddle {
namespace {

struct LocationHash {
  std::size_t operator()(const Location& at) const {
    std::uint64_t h = (std::uint64_t{at.file.index()} << 32 | at.line) * 0x9e3779b97f4a7c15ULL;
    h = (h ^ (h >> 29) ^ (std::uint64_t{at.column} << 32 | at.inlined_at.index())) * 0xbf58476d1ce4e5b9ULL;
    return h ^ (h >> 32);
  }
};
struct SameLocation {
  bool operator()(const Location& a, const Location& b) const {
    return a.file == b.file && a.line == b.line && a.column == b.column && a.inlined_at == b.inlined_at;
  }
};

OpenTypes open_types(const std::vector<Program>& units) {
  OpenTypes open;
  for (const Program& unit : units) open.add(unit.types);
  return open;
}

/// Tables that all units share.
class SharedTables {
 public:
  SharedTables(const std::vector<Program>& units, Program& out)
      : out_(out), texts(out.arena), types(open_types(units), out, texts) {
    for (const Program& unit : units)
      for (const File& file : unit.files) {
        const auto [it, is_new] = files_.try_emplace(texts.keep(file.path));
        if (is_new) {
          it->second = out_.files.add({it->first});
          readers_.push_back(0);
        }
        ++readers_[it->second.index()];
      }
  }

  FileId file(std::string_view path) const { return files_.at(path); }

  /// Only what several units read can hold a place that is there already.
  LocationId location(const Location& at) {
    if (!at.file || readers_[at.file.index()] < 2) return out_.locations.add(at);
    const auto [it, is_new] = locations_.try_emplace(at);
    if (is_new) it->second = out_.locations.add(at);
    return it->second;
  }

  ConstantId constant(const Constant& c) {
    Hasher h;
    h.add(static_cast<std::uint64_t>(c.kind)).add(c.type.index()).add(c.bits).add(c.wide.size());
    for (const std::uint64_t word : c.wide) h.add(word);
    for (const Operand element : c.elements)
      h.add(std::uint64_t{element.index()} << 3 | static_cast<std::uint64_t>(element.kind()));
    const auto [it, is_new] = constants_.try_emplace(h.finish());
    if (is_new) {
      Constant kept = c;
      kept.wide = out_.arena.copy(c.wide);
      kept.elements = out_.arena.copy(c.elements);
      it->second = out_.constants.add(kept);
    }
    return it->second;
  }

 private:
  Program& out_;

 public:
  SharedTexts texts;
  TypeMerger types;

 private:  // only looked up, all of them
  std::unordered_map<std::string_view, FileId> files_;
  std::vector<std::uint32_t> readers_;  // units that read the file
  std::unordered_map<Location, LocationId, LocationHash, SameLocation> locations_;
  std::unordered_map<ContentHash, ConstantId, ContentHashHash> constants_;
};

class UnitCopier {
 public:
  UnitCopier(const Program& unit, const std::vector<SymbolIds::Row>& functions,
             const std::vector<SymbolIds::Row>& globals, SharedTables& shared, Program& out)
      : unit_(unit), functions_(functions), globals_(globals), shared_(shared), out_(out) {}

  void run() {
    types_ = shared_.types.add(unit_.types);
    for (const File& file : unit_.files) files_.push_back(shared_.file(file.path));
    locations_.resize(unit_.locations.size());
    copy_constants();
    for (std::size_t i = 0; i < unit_.globals.size(); ++i) {
      const Global& from = unit_.globals[GlobalId(i)];
      if (globals_[i].is_kept)
        copy(from, out_.globals[globals_[i].symbol.as_global()]);
      else
        lend_type(from, globals_[i].symbol);
    }
    for (std::size_t i = 0; i < unit_.functions.size(); ++i) {
      const Function& from = unit_.functions[FunctionId(i)];
      if (functions_[i].is_kept)
        copy(from, out_.functions[functions_[i].symbol.as_function()]);
      else
        lend_type(from, functions_[i].symbol);
    }
  }

 private:
  [[nodiscard]] TypeId type(TypeId id) const { return id ? types_[id.index()] : id; }

  LocationId location(LocationId id) {
    if (!id) return id;
    if (locations_[id.index()]) return locations_[id.index()];
    std::vector<LocationId> chain;  // from the innermost to one that is known, or the outermost
    for (LocationId at = id; at && !locations_[at.index()]; at = unit_.locations[at].inlined_at) chain.push_back(at);
    for (; !chain.empty(); chain.pop_back()) {
      Location at = unit_.locations[chain.back()];
      if (at.file) at.file = files_[at.file.index()];
      if (at.inlined_at) at.inlined_at = locations_[at.inlined_at.index()];
      locations_[chain.back().index()] = shared_.location(at);
    }
    return locations_[id.index()];
  }

  [[nodiscard]] Operand operand(Operand from) const {
    switch (from.kind()) {
      case Operand::Kind::Constant: return Operand::constant(constants_[from.index()]);
      case Operand::Kind::Global: return globals_[from.index()].symbol;
      case Operand::Kind::Function: return functions_[from.index()].symbol;
      default: return from;
    }
  }

  void copy_constants() {
    constants_.reserve(unit_.constants.size());
    std::vector<Operand> elements;
    for (const Constant& from : unit_.constants) {
      Constant c = from;
      c.type = type(from.type);
      elements.assign(from.elements.begin(), from.elements.end());
      for (Operand& element : elements) element = operand(element);
      c.elements = elements;
      constants_.push_back(shared_.constant(c));
    }
  }

  /// Debug information describes a variable where it is used, not always where it is first declared.
  void lend_type(const auto& from, Operand to) {
    const auto lend = [&](auto& row) {
      if (row.linkage == Linkage::Declaration && !row.source_type) row.source_type = type(from.source_type);
    };
    if (to.is_function())
      lend(out_.functions[to.as_function()]);
    else
      lend(out_.globals[to.as_global()]);
  }

  void copy(const Global& from, Global& to) {
    to.source_name = shared_.texts.keep(from.source_name);
    to.section = shared_.texts.keep(from.section);
    to.type = type(from.type);
    to.source_type = type(from.source_type);
    to.location = location(from.location);
    to.bytes = out_.arena.copy(from.bytes);
    const std::span<Relocation> relocations = out_.arena.array<Relocation>(from.relocations.size());
    for (std::size_t i = 0; i < relocations.size(); ++i) {
      relocations[i] = from.relocations[i];
      relocations[i].target = operand(from.relocations[i].target);
    }
    to.relocations = relocations;
  }

  template <class T, class Change>
  std::span<const T> changed(std::span<const T> from, const Change& change) {
    const std::span<T> to = out_.arena.array<T>(from.size());
    for (std::size_t i = 0; i < from.size(); ++i) {
      to[i] = from[i];
      change(to[i]);
    }
    return to;
  }

  void copy(const Function& from, Function& to) {
    to.source_name = shared_.texts.keep(from.source_name);
    to.interrupt = shared_.texts.keep(from.interrupt);
    to.type = type(from.type);
    to.source_type = type(from.source_type);
    to.location = location(from.location);
    to.parameters = changed(from.parameters, [&](TypeId& id) { id = type(id); });
    to.byval = out_.arena.copy(from.byval);
    to.blocks = changed(from.blocks, [&](Block& block) { block.name = shared_.texts.keep(block.name); });
    to.instructions = changed(from.instructions, [&](Instruction& i) {
      i.type = type(i.type);
      i.access_type = type(i.access_type);
      i.location = location(i.location);
    });
    to.operands = changed(from.operands, [&](Operand& o) { o = operand(o); });
    to.geps = changed(from.geps, [&](GepInfo& gep) {
      gep.source_type = type(gep.source_type);
      gep.strides = out_.arena.copy(gep.strides);
    });
    to.calls = changed(from.calls, [&](CallInfo& call) {
      call.function_type = type(call.function_type);
      call.asm_text = shared_.texts.keep(call.asm_text);
      call.byval = out_.arena.copy(call.byval);
    });
    to.indices = changed(from.indices, [&](std::span<const std::int32_t>& list) { list = out_.arena.copy(list); });
    to.texts = changed(from.texts, [&](std::string_view& text) { text = shared_.texts.keep(text); });
    to.names = changed(from.names, [&](ValueName& name) {
      name.name = shared_.texts.keep(name.name);
      name.source_type = type(name.source_type);
    });
  }

  const Program& unit_;
  const std::vector<SymbolIds::Row>& functions_;
  const std::vector<SymbolIds::Row>& globals_;
  SharedTables& shared_;
  Program& out_;
  std::vector<TypeId> types_;
  std::vector<FileId> files_;
  std::vector<LocationId> locations_;  // none: not met yet
  std::vector<ConstantId> constants_;
};

}  // namespace

void copy_units(std::vector<Program> units, const SymbolIds& ids, Program& out) {
  SharedTables shared(units, out);
  for (std::size_t u = 0; u < units.size(); ++u) {
    UnitCopier(units[u], ids.functions[u], ids.globals[u], shared, out).run();
    units[u] = Program();
  }
  out.types.shrink_to_fit();
  out.constants.shrink_to_fit();
  out.globals.shrink_to_fit();
  out.functions.shrink_to_fit();
  out.locations.shrink_to_fit();
}

}  // namespace heddle
