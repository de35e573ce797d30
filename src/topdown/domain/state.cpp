// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "topdown/domain/state.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace heddle::topdown {

namespace {

/// Every target moved by a number of `by`, which varies in steps of `step`.
std::vector<Target> shifted(const std::vector<Target>& targets, Interval by, std::uint64_t step) {
  std::vector<Target> out;
  for (Target t : targets) {
    const numeric::Wide low = numeric::Wide{t.low} + by.low;
    const numeric::Wide high = numeric::Wide{t.high} + by.high;
    t.low = low < -far ? -far : static_cast<std::int64_t>(low);
    t.high = high > far ? far : static_cast<std::int64_t>(high);
    if (low < -far || low > far || high > far || high < -far) {
      t.low = -far;
      t.high = far;
    }
    t.stride = std::gcd(t.stride, step);
    if ((t.low == -far || t.high == far) && t.stride > 1) {
      // Keep the residue class: the bounds are only a stand-in for "anywhere".
      const auto stride = static_cast<std::int64_t>(t.stride);
      const std::int64_t residue = static_cast<std::int64_t>(((low % stride) + stride) % stride);
      if (t.low == -far) t.low = -far - ((-far % stride) + stride) % stride + residue;
      if (t.high == far) t.high = far - far % stride + residue;
    }
    if (t.low == t.high) t.stride = 0;
    if (t.low != t.high && t.stride == 0) t.stride = 1;
    out.push_back(t);
  }
  return out;
}

/// The two may only be addresses of the same objects, so that their difference is a distance.
bool have_same_objects(const Universe& u, InfoId a, InfoId b) {
  const Info& x = u.infos[a];
  const Info& y = u.infos[b];
  if (!x.addresses || !y.addresses) return false;
  const auto& p = u.points_to[x.addresses].targets;
  const auto& q = u.points_to[y.addresses].targets;
  return std::equal(p.begin(), p.end(), q.begin(), q.end(),
                    [](const Target& s, const Target& t) { return s.object == t.object; });
}

}  // namespace

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
  std::uint64_t step = 0;
  bool number_possible = true;
  int address_terms = 0;
  bool scaled_address = false;
  InfoId base;
  InfoId other;
  numeric::Wide rest_low = form.constant;
  numeric::Wide rest_high = form.constant;
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
      ++address_terms;
      if (t.factor != 1) scaled_address = true;
      other = base;
      base = id_of_term;
    } else {
      rest_low += std::min(x, y);
      rest_high += std::max(x, y);
      if (!n.is_constant()) step = std::gcd(step, static_cast<std::uint64_t>(t.factor < 0 ? -t.factor : t.factor));
    }
  }
  Info out;
  out.number = number_possible ? numeric::wrap(low, high, bits) : Interval::empty();
  if (address_terms == 0) return u.info(out);
  if (address_terms == 2 && scaled_address && have_same_objects(u, base, other)) {  // a distance within one object
    out.number = Interval::of_width(bits);
    return u.info(out);
  }
  if (address_terms > 1 || scaled_address) return u.unknown(bits);
  const Info of_base = u.infos[base];
  if (of_base.any_address) {
    out.any_address = true;
    return u.info(out);
  }
  const Interval by = numeric::wrap(rest_low, rest_high, 64);
  const std::vector<Target> targets = u.points_to[of_base.addresses].targets;
  return u.with_addresses_of(u.info(out), u.addresses(shifted(targets, by, step)));
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
