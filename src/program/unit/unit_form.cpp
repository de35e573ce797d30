// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program/unit/unit_form.h"

#include <algorithm>

#include "program/unit/unit_bodies.h"

namespace heddle {
namespace {

/// `Form<ColumnWriter>` writes a const Program, `Form<ColumnReader>` fills an empty one.
template <class Stream>
class Form {
 public:
  using Subject = std::conditional_t<Stream::reads, Program, const Program>;
  Form(Stream& stream, Subject& program) : s(stream), p(program) {}

  void run() {
    layout();
    files();
    types();
    constants();
    globals();
    functions();
    startup();
    annotations();
  }

 private:
  void layout() {
    s.number(Column::Units, p.layout.pointer_bits);
    s.flags(Column::Units, p.layout.little_endian);
    kept_text(p.layout.triple);
    s.rows(Column::Units, p.units, [&](auto& unit) { kept_text(unit); });
  }

  void kept_text(auto& text) {
    std::string_view view = text;
    s.text(Column::Units, view);
    if constexpr (Stream::reads) text = view;
  }

  void files() {
    s.rows(Column::FilePath, p.files, [&](auto& file) { s.text(Column::FilePath, file.path); });
    s.rows(Column::LocationLine, p.locations, [&](auto& at) {
      s.ordered_id(Column::LocationFile, at.file);
      s.delta(Column::LocationLine, at.line);
      s.number(Column::LocationColumn, at.column);
      s.id(Column::LocationInlined, at.inlined_at);
    });
  }

  std::uint64_t size_of(TypeId id) const { return id.index() < p.types.size() ? p.types[id].size_bits : 0; }

  // Members after all types: their sizes are mostly those of their types.
  void types() {
    s.rows(Column::TypeFlags, p.types, [&](auto& t) {
      s.enumeration(Column::TypeFlags, t.kind, TypeKind::Other);
      s.flags(Column::TypeFlags, t.is_source, t.is_signed, t.is_reference, t.is_vararg);
      s.text(Column::TypeName, t.name);
      s.number(Column::TypeSize, t.size_bits);
      s.number(Column::TypeValueBits, t.value_bits);
      s.number(Column::TypeAlign, t.align_bits);
      s.ordered_id(Column::TypeElement, t.element);
      s.number(Column::TypeCount, t.count);
    });
    for (auto& t : p.types) {
      if (t.kind == TypeKind::Function)
        s.list(Column::TypeParameter, t.parameters, [&](auto& id) { s.ordered_id(Column::TypeParameter, id); });
      if (t.kind == TypeKind::Struct || t.kind == TypeKind::Union) fields(t);
    }
  }

  void fields(auto& t) {
    std::uint64_t end = 0;
    s.list(Column::FieldType, t.fields, [&](auto& field) {
      s.text(Column::FieldName, field.name);
      s.ordered_id(Column::FieldType, field.type);
      s.near(Column::FieldOffset, field.offset_bits, end);
      s.near(Column::FieldSize, field.size_bits, size_of(field.type));
      s.flags(Column::FieldFlags, field.is_bitfield, field.is_base);
      end = field.offset_bits + field.size_bits;
    });
  }

  void constants() {
    s.rows(Column::ConstantKind, p.constants, [&](auto& c) {
      s.enumeration(Column::ConstantKind, c.kind, Constant::Kind::Aggregate);
      s.ordered_id(Column::ConstantType, c.type);
      s.number(Column::ConstantBits, c.bits);
      if (c.kind == Constant::Kind::Int || c.kind == Constant::Kind::Float)
        s.list(Column::ConstantBits, c.wide, [&](auto& word) { s.number(Column::ConstantBits, word); });
      if (c.kind == Constant::Kind::Aggregate)
        s.list(Column::ConstantElement, c.elements, [&](auto& element) { operand(Column::ConstantElement, element); });
    });
  }

  void operand(Column column, auto& operand) {
    std::uint64_t word = (std::uint64_t{operand.index()} << 3) | static_cast<std::uint64_t>(operand.kind());
    s.number(column, word);
    if constexpr (Stream::reads) {
      const auto made = operand_of(static_cast<Operand::Kind>(word & 7), word >> 3);
      if (!made) return s.fail();
      operand = *made;
    }
  }

  void symbol(auto& symbol) {
    s.text(Column::SymbolName, symbol.name);
    s.text(Column::SourceName, symbol.source_name);
    s.enumeration(Column::SymbolFlags, symbol.linkage, Linkage::Declaration);
    s.ordered_id(Column::SymbolType, symbol.type);
    s.ordered_id(Column::SourceType, symbol.source_type);
    s.ordered_id(Column::SymbolLocation, symbol.location);
  }

  void globals() {
    s.rows(Column::SymbolName, p.globals, [&](auto& g) {
      symbol(g);
      s.flags(Column::SymbolFlags, g.is_constant, g.is_thread_local, g.may_be_missing);
      s.text(Column::SourceName, g.section);
      s.near(Column::GlobalSize, g.size, size_of(g.type) / 8);
      s.number(Column::GlobalAlign, g.align);
      s.bytes(Column::Image, g.bytes);
      std::uint64_t end = 0;
      s.list(Column::RelocationTarget, g.relocations, [&](auto& r) {
        s.near(Column::RelocationOffset, r.offset, end);
        s.number(Column::RelocationOffset, r.size);
        operand(Column::RelocationTarget, r.target);
        s.signed_number(Column::RelocationAddend, r.addend);
        end = r.offset + r.size;
      });
    });
  }

  void functions() {
    s.rows(Column::SymbolName, p.functions, [&](auto& f) {
      symbol(f);
      s.flags(Column::SymbolFlags, f.is_vararg, f.no_return, f.no_unwind, f.is_intrinsic, f.is_address_taken,
              f.may_be_missing);
      s.text(Column::SourceName, f.interrupt);
      s.list(Column::Parameter, f.parameters, [&](auto& id) { s.ordered_id(Column::Parameter, id); });
      s.list(Column::ByValue, f.byval, [&](auto& copy) {
        s.number(Column::ByValue, copy.index);
        s.number(Column::ByValue, copy.bytes);
        s.number(Column::ByValue, copy.align);
      });
    });
    bodies(s, p);
  }

  void startup() {
    calls(p.constructors, p.constructor_priorities);
    calls(p.destructors, p.destructor_priorities);
    s.rows(Column::SymbolName, p.aliases, [&](auto& alias) {
      s.text(Column::SymbolName, alias.name);
      s.enumeration(Column::SymbolFlags, alias.linkage, Linkage::Declaration);
      operand(Column::RelocationTarget, alias.target);
      s.signed_number(Column::RelocationAddend, alias.addend);
    });
    s.rows(Column::SymbolName, p.missing_bodies, [&](auto& missing) {
      s.text(Column::SymbolName, missing.symbol);
      s.text(Column::SymbolName, missing.place);
    });
    s.rows(Column::SymbolName, p.unseen, [&](auto& what) { s.text(Column::SymbolName, what); });
  }

  void annotations() {
    s.rows(Column::AnnotationKind, p.annotations, [&](auto& a) {
      s.enumeration(Column::AnnotationKind, a.kind, LockAnnotation::Kind::NoAnalysis);
      s.flags(Column::AnnotationKind, a.succeeds_with_zero);
      operand(Column::AnnotationSubject, a.subject);
      s.text(Column::AnnotationText, a.type);
      s.text(Column::AnnotationText, a.field);
      s.text(Column::AnnotationText, a.lock);
      s.signed_number(Column::AnnotationSubject, a.argument);
    });
  }

  void calls(auto& functions, auto& priorities) {
    s.rows(Column::Startup, functions, [&](auto& function) { s.id(Column::Startup, function); });
    s.rows(Column::Startup, priorities, [&](auto& priority) { s.number(Column::Startup, priority); });
  }

  Stream& s;
  Subject& p;
};

}  // namespace

Columns to_columns(const Program& program) {
  ColumnWriter out;
  Form(out, program).run();
  return out.take();
}

void from_columns(ColumnReader& in, Program& program) { Form(in, program).run(); }

}  // namespace heddle
