// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "topdown/domain/state.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "topdown/domain/address_sum.h"

namespace heddle::topdown {

InfoId Domain::info_of_symbol(const State& s, SymbolId symbol) const {
  const Symbol& sym = u.symbols[symbol];
  if (sym.kind == SymbolKind::Address) return u.addresses({{ObjectId(sym.a), 0, 0, 0}});
  if (const auto known = u.maps.find(s.infos, symbol.index())) return InfoId(*known);
  return u.unknown(sym.bits);
}

InfoId Domain::info_of(const State& s, FormId id, unsigned bits) const {
  const Form& form = u.forms[id];  // no form is made here
  if (form.opaque) return form.opaque;
  if (form.terms.empty()) return u.number(Interval::constant(form.constant));
  numeric::Wide low = form.constant;
  numeric::Wide high = form.constant;
  Distances rest{.range = {}, .first = form.constant, .step = 0};
  numeric::Wide rest_high = form.constant;
  bool number_possible = true;
  std::vector<AddressTerm> addresses;
  for (const Term& t : form.terms) {
    const InfoId id_of_term = info_of_symbol(s, t.symbol);
    const Info info = u.infos[id_of_term];
    if (form.terms.size() == 1 && form.constant == 0 && t.factor == 1) {
      const Interval fitted =
          info.number.is_empty() || info.number.leq(Interval::of_width(bits)) ? info.number : Interval::of_width(bits);
      if (fitted == info.number) return id_of_term;
      Info out = info;
      out.number = fitted;
      out.has_excluded = false;
      return u.info(out);
    }
    Interval n = info.number;
    if (n.is_empty()) number_possible = false;
    const numeric::Wide x = numeric::Wide{n.low} * t.factor;
    const numeric::Wide y = numeric::Wide{n.high} * t.factor;
    low += std::min(x, y);
    high += std::max(x, y);
    if (!info.is_number()) {
      addresses.push_back({id_of_term, t.factor});
    } else {
      rest.first += std::min(x, y);
      rest_high += std::max(x, y);
      if (!n.is_constant()) rest.step = std::gcd(rest.step, magnitude(t.factor));
    }
  }
  const Interval number = number_possible ? numeric::wrap(low, high, bits) : Interval::empty();
  if (addresses.empty()) return u.number(number);
  rest.range = numeric::wrap(rest.first, rest_high, u.pointer_bits());
  return sum_of_addresses(u, addresses, rest, number, bits);
}

InfoId Domain::blur(InfoId id, unsigned bits) const {
  const Info info = u.infos[id];
  if (info.is_number()) return u.any_number(bits);
  Info out;
  out.number = Interval::of_width(bits);
  if (info.any_address) {
    out.any_address = true;
    return u.info(out);
  }
  std::vector<Target> targets = u.points_to[info.addresses].targets;
  for (Target& t : targets) t = {t.object, -far, far, 1};
  return u.with_addresses_of(u.info(out), u.addresses(targets));
}

bool Domain::is_exact(const State& s, FormId id, unsigned bits) const {
  const Form& form = u.forms[id];
  if (form.opaque) return false;
  numeric::Wide low = form.constant;
  numeric::Wide high = form.constant;
  for (const Term& t : form.terms) {
    const Info info = u.infos[info_of_symbol(s, t.symbol)];
    if (!info.is_number()) return false;
    low += std::min(numeric::Wide{info.number.low} * t.factor, numeric::Wide{info.number.high} * t.factor);
    high += std::max(numeric::Wide{info.number.low} * t.factor, numeric::Wide{info.number.high} * t.factor);
  }
  const Interval all = Interval::of_width(bits);
  return low >= all.low && high <= all.high;
}

bool Domain::must_be_at_most(const State& s, FormId a, FormId b, int depth) const {
  if (const FormId difference = u.combine(b, a, -1, 64); difference && u.forms[difference].is_constant())
    return u.forms[difference].constant >= 0;
  const Info ia = u.infos[info_of(s, a, 64)];
  const Info ib = u.infos[info_of(s, b, 64)];
  if (ia.is_number() && ib.is_number() && ia.number.high <= ib.number.low) return true;
  if (depth == 0) return false;
  auto bound = [&](FormId f, MapId bounds) -> FormId {
    const Form& form = u.forms[f];
    if (form.opaque || form.terms.size() != 1 || form.terms[0].factor != 1) return {};
    const auto known = u.maps.find(bounds, form.terms[0].symbol.index());
    return known ? u.combine(FormId(*known), u.constant(form.constant), 1, 64) : FormId();
  };
  if (const FormId more = bound(a, s.upper); more && must_be_at_most(s, more, b, depth - 1)) return true;
  const FormId less = bound(b, s.lower);
  return less && must_be_at_most(s, a, less, depth - 1);
}

}  // namespace heddle::topdown
