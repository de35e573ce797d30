// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "topdown/values/call_values.h"

#include "api/object_size.h"

namespace heddle::topdown {

FormId CallValues::argument(const Site& site, const State& s, int number) const {
  const auto given = site.function->arguments_of(site.code());
  const auto k = static_cast<std::size_t>(number);
  if (number < 0 || k >= given.size()) return u.opaque(u.unknown(u.pointer_bits()));
  return values_.evaluate(site, s, given[k]);
}

std::vector<FormId> CallValues::arguments(const Site& site, const State& s) const {
  std::vector<FormId> out;
  for (const Operand given : site.function->arguments_of(site.code())) out.push_back(values_.evaluate(site, s, given));
  return out;
}

std::optional<std::int64_t> CallValues::known_length(const Site& site, const State& s,
                                                     const api::Length& length) const {
  auto number = [&](std::int64_t which) -> std::optional<std::int64_t> {
    const Interval i = d.interval_of(s, argument(site, s, static_cast<int>(which)), u.pointer_bits());
    return i.is_constant() && i.low >= 0 ? std::optional(i.low) : std::nullopt;
  };
  switch (length.kind) {
    case api::Length::Kind::Constant: return length.value;
    case api::Length::Kind::Words: return length.value * (u.pointer_bits() / 8);
    case api::Length::Kind::Argument: return number(length.value);
    case api::Length::Kind::Product: {
      const auto a = number(length.value);
      const auto b = number(length.second);
      return a && b ? std::optional(*a * *b) : std::nullopt;
    }
    case api::Length::Kind::Type: return api::bytes_of(static_cast<api::LibraryType>(length.value), u.pointer_bits());
    case api::Length::Kind::Unknown:
    case api::Length::Kind::String: return std::nullopt;
  }
  return std::nullopt;
}

void CallValues::return_status(const Site& site, State& s, api::Success success, bool succeeded) const {
  const unsigned bits = values_.bits_of(site.code().type);
  if (u.program.types[site.code().type].kind == TypeKind::Void) return;
  auto not_zero = [&] {
    Info i;
    i.number = Interval::of_width(bits);
    i.has_excluded = true;
    i.excluded = 0;
    return u.info(i);
  };
  InfoId info = u.any_number(bits);
  switch (success) {
    case api::Success::Zero: info = succeeded ? u.number(Interval::constant(0)) : not_zero(); break;
    case api::Success::NonZero: info = succeeded ? not_zero() : u.number(Interval::constant(0)); break;
    case api::Success::NonNegative: {
      const Interval all = Interval::of_width(bits);
      info = u.number(succeeded ? Interval{0, all.high} : Interval{all.low, -1});
      break;
    }
    case api::Success::NotMinusOne: {
      Info i;
      i.number = succeeded ? Interval::of_width(bits) : Interval::constant(-1);
      i.has_excluded = succeeded;
      i.excluded = -1;
      info = u.info(i);
      break;
    }
    case api::Success::Always: return;
  }
  values_.assign(site, s, values_.defined(site, s, info));
}

bool CallValues::is_null(const State& s, FormId address) const {
  const Info info = u.infos[d.info_of(s, address, u.pointer_bits())];
  return info.is_number() && info.number == Interval::constant(0);
}

void CallValues::return_range(const Site& site, State& s, api::Range range) const {
  if (u.program.types[site.code().type].kind == TypeKind::Void) return;
  values_.assign(site, s, values_.defined(site, s, u.number({range.low, range.high})));
}

void CallValues::return_any(const Site& site, State& s) const {
  if (u.program.types[site.code().type].kind == TypeKind::Void) return;
  values_.assign(site, s, values_.defined(site, s, u.any_number(values_.bits_of(site.code().type))));
}

std::vector<FunctionId> CallValues::functions_in(InfoId id, bool& all_known) const {
  const Info info = u.infos[id];
  std::vector<FunctionId> out;
  all_known = !info.any_address && info.addresses.valid();
  if (!all_known) return out;
  for (const Target& t : u.points_to[info.addresses].targets) {
    const Object& o = u.objects[t.object];
    if (o.kind == ObjectKind::Function && u.program.functions[FunctionId(o.a)].has_body())
      out.push_back(FunctionId(o.a));
    else
      all_known = false;
  }
  return out;
}

}  // namespace heddle::topdown
