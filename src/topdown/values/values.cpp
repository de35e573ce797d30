// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "topdown/values/values.h"

#include "program/model/device_register.h"

namespace heddle::topdown {

unsigned Values::bits_of(TypeId type) const { return u.width_of_type(type); }

unsigned Values::operand_bits(const Site& site, Operand o) const {
  switch (o.kind()) {
    case Operand::Kind::Value: {
      const ValueId v = o.as_value();
      const Function& f = *site.function;
      return bits_of(f.is_parameter(v) ? f.parameters[v.index()] : f.instructions[f.definition(v)].type);
    }
    case Operand::Kind::Constant: return bits_of(u.program.constants[o.as_constant()].type);
    default: return u.program.layout.pointer_bits;
  }
}

FormId Values::or_null(ObjectId object) const {
  return u.opaque(u.join(u.number(Interval::constant(0)), u.addresses({{object, 0, 0, 0}})));
}

FormId Values::evaluate(const Site& site, const State& s, Operand o) const {
  switch (o.kind()) {
    case Operand::Kind::Value: {
      const auto held = u.maps.find(s.environment, u.environment_key(site.context, o.as_value()));
      return held ? FormId(*held) : u.opaque(u.unknown(operand_bits(site, o)));
    }
    case Operand::Kind::Constant: return constant(u.program.constants[o.as_constant()]);
    case Operand::Kind::Global: {
      if (const auto address = device_address(u.program.globals[o.as_global()]))
        return u.constant(numeric::sign_extend(*address, u.program.layout.pointer_bits));
      if (u.program.globals[o.as_global()].may_be_missing) return or_null(u.global_object(o.as_global()));
      if (!u.program.globals[o.as_global()].is_thread_local) return u.address_of(u.global_object(o.as_global()));
      const ObjectId mine = u.thread_local_object(o.as_global(), thread_of(site));
      const ObjectId published = u.objects[mine].settled;
      if (!u.maps.contains(s.allocated, published.index())) return u.address_of(mine);
      return u.opaque(u.addresses({{mine, 0, 0, 0}, {published, 0, 0, 0}}));
    }
    case Operand::Kind::Function: {
      const ObjectId function = u.function_object(o.as_function());
      return u.program.functions[o.as_function()].may_be_missing ? or_null(function) : u.address_of(function);
    }
    default: return u.opaque(u.unknown(64));
  }
}

FormId Values::constant(const Constant& c) const {
  const unsigned bits = bits_of(c.type);
  if (c.kind == Constant::Kind::Null || c.kind == Constant::Kind::Zero) return u.constant(0);
  if (c.kind == Constant::Kind::Int && c.wide.empty()) return u.constant(numeric::sign_extend(c.bits, bits));
  if (c.kind == Constant::Kind::Aggregate) return u.opaque(u.unknown(bits));
  return u.opaque(u.any_number(bits));
}

SymbolId Values::result_symbol(const Site& site) const {
  const ValueId v = site.function->result_of(site.instruction);
  return u.symbol({.kind = SymbolKind::Defined,
                   .bits = static_cast<std::uint8_t>(bits_of(site.code().type)),
                   .a = site.context.index(),
                   .b = v.index(),
                   .depends = {}});
}

FormId Values::defined(const Site& site, State& s, InfoId info) const { return d.define(s, result_symbol(site), info); }

void Values::assign(const Site& site, State& s, FormId value) const {
  const ValueId v = site.function->result_of(site.instruction);
  s.environment = u.maps.set(s.environment, u.environment_key(site.context, v), value.index());
}

}  // namespace heddle::topdown
