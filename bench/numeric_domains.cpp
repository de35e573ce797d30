// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Our domains against those of PPL (libppl-dev, libgmp-dev), the same operations in one run.
//
//   ninja -C build/release heddle_numeric_domains_bench        only where PPL is installed
//   build/release/heddle_numeric_domains_bench [VARIABLES…]    5, 10, 20, 40
//
// Variables begin in 0 to 100. A hundred sequences of operations: in a hundred 20 shifts, 20 copies, 15 bounds, 15
// differences, 15 joins, 5 widenings, 5 forgettings, 5 comparisons; an element that gets empty begins again. Each domain
// goes through them five times, taking turns; the best processor time counts. Both ask after each operation whether
// the element is empty.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <map>
#include <random>
#include <string>
#include <vector>

#include <ppl.hh>

#include "numeric/box.h"
#include "numeric/octagon.h"

namespace {

namespace ppl = Parma_Polyhedra_Library;
using heddle::numeric::Box;
using heddle::numeric::LinearForm;
using heddle::numeric::Octagon;
using heddle::numeric::Relation;

struct Step {
  int what = 0;
  std::uint32_t x = 0, y = 0;
  int number = 0;
};

std::vector<Step> make_steps(std::uint32_t variables, unsigned seed) {
  std::mt19937 random(seed);
  const auto below = [&](std::uint32_t n) { return static_cast<std::uint32_t>(random() % n); };
  std::vector<Step> out(100);
  for (Step& step : out) {
    const std::uint32_t kind = below(100);
    step.what = kind < 20 ? 0 : kind < 40 ? 1 : kind < 55 ? 2 : kind < 70 ? 3 : kind < 85 ? 4 : kind < 90 ? 5 : kind < 95 ? 6 : 7;
    step.x = below(variables);
    step.y = (step.x + 1 + below(variables - 1)) % variables;
    step.number = static_cast<int>(below(21)) - 10;
  }
  return out;
}

template <class D>
struct Ours {
  D element;
  explicit Ours(std::uint32_t variables) : element(variables) {
    for (std::uint32_t x = 0; x < variables; ++x) {
      element.guard(LinearForm::variable(x, -1), Relation::AtMostZero);
      element.guard(LinearForm::variable(x, 1, -100), Relation::AtMostZero);
    }
  }
  void shift(std::uint32_t x, int c) { element.assign(x, LinearForm::variable(x, 1, c)); }
  void copy(std::uint32_t x, std::uint32_t y, int c) { element.assign(x, LinearForm::variable(y, 1, c)); }
  void bound(std::uint32_t x, int c) { element.guard(LinearForm::variable(x, 1, -c), Relation::AtMostZero); }
  void difference(std::uint32_t x, std::uint32_t y, int c) {
    element.guard(x < y ? LinearForm{{{x, 1}, {y, -1}}, -c} : LinearForm{{{y, -1}, {x, 1}}, -c}, Relation::AtMostZero);
  }
  void forget(std::uint32_t x) { element.forget(x); }
  void add(const Ours& other) { element = join(element, other.element); }
  void extend(const Ours& other) { element = widen(element, join(element, other.element), {}); }
  [[nodiscard]] bool is_in(const Ours& other) const { return leq(element, other.element); }
  [[nodiscard]] bool is_empty() const { return element.is_bottom(); }
};

template <class D>
struct Theirs {
  D element;
  explicit Theirs(std::uint32_t variables) : element(variables, ppl::UNIVERSE) {
    for (std::uint32_t x = 0; x < variables; ++x) {
      element.refine_with_constraint(ppl::Variable(x) >= 0);
      element.refine_with_constraint(ppl::Variable(x) <= 100);
    }
  }
  void shift(std::uint32_t x, int c) { element.affine_image(ppl::Variable(x), ppl::Variable(x) + c); }
  void copy(std::uint32_t x, std::uint32_t y, int c) { element.affine_image(ppl::Variable(x), ppl::Variable(y) + c); }
  void bound(std::uint32_t x, int c) { element.refine_with_constraint(ppl::Variable(x) <= c); }
  void difference(std::uint32_t x, std::uint32_t y, int c) {
    element.refine_with_constraint(ppl::Variable(x) - ppl::Variable(y) <= c);
  }
  void forget(std::uint32_t x) { element.unconstrain(ppl::Variable(x)); }
  void add(const Theirs& other) { element.upper_bound_assign(other.element); }
  void extend(const Theirs& other) {
    D both = element;
    both.upper_bound_assign(other.element);
    both.CC76_widening_assign(element);
    element = both;
  }
  [[nodiscard]] bool is_in(const Theirs& other) const { return other.element.contains(element); }
  [[nodiscard]] bool is_empty() const { return element.is_empty(); }
};

/// PPL's octagons call it otherwise.
struct TheirOctagon : Theirs<ppl::Octagonal_Shape<std::int64_t>> {
  using Theirs::Theirs;
  void extend(const TheirOctagon& other) {
    auto both = element;
    both.upper_bound_assign(other.element);
    both.CC76_extrapolation_assign(element);
    element = both;
  }
};
using TheirBox = Theirs<ppl::Box<ppl::Interval<std::int64_t, ppl::Interval_Info_Bitset<unsigned, ppl::Integer_Interval_Info_Policy>>>>;

/// Processor time in seconds; `met` counts what came out, so that nothing can be left out.
template <class D>
double run(const std::vector<std::vector<Step>>& all, std::uint32_t variables, std::uint64_t& met) {
  const std::clock_t begin = std::clock();
  const D start(variables);
  for (const std::vector<Step>& steps : all) {
    D element = start, kept = start;
    for (const Step& step : steps) {
      switch (step.what) {
        case 0: element.shift(step.x, step.number); break;
        case 1: element.copy(step.x, step.y, step.number); break;
        case 2: element.bound(step.x, step.number * 10 + 60); break;
        case 3: element.difference(step.x, step.y, step.number + 5); break;
        case 4:
          element.add(kept);
          kept = element;
          break;
        case 5: element.extend(kept); break;
        case 6: element.forget(step.x); break;
        default: met += element.is_in(kept) ? 1 : 0;
      }
      if (element.is_empty()) {
        element = start;
        ++met;
      }
    }
  }
  return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
}

}  // namespace

int main(int count, char** words) {
  std::vector<std::uint32_t> sizes;
  for (int i = 1; i < count; ++i) sizes.push_back(static_cast<std::uint32_t>(std::atoi(words[i])));
  if (sizes.empty()) sizes = {5, 10, 20, 40};
  std::printf("us an operation        ours      PPL   ratio\n");
  for (const std::uint32_t variables : sizes) {
    std::vector<std::vector<Step>> all;
    for (unsigned seed = 0; seed < 100; ++seed) all.push_back(make_steps(variables, seed));
    double best[4] = {1e9, 1e9, 1e9, 1e9};
    std::uint64_t met[4] = {};
    for (int round = 0; round < 5; ++round) {
      best[0] = std::min(best[0], run<Ours<Octagon>>(all, variables, met[0]));
      best[1] = std::min(best[1], run<TheirOctagon>(all, variables, met[1]));
      best[2] = std::min(best[2], run<Ours<Box>>(all, variables, met[2]));
      best[3] = std::min(best[3], run<TheirBox>(all, variables, met[3]));
    }
    for (const int i : {0, 2})
      std::printf("%-8s %3u variables %6.2f %8.2f %7.1f   (%llu and %llu answers)\n", i == 0 ? "octagon" : "box", variables,
                  best[i] * 100, best[i + 1] * 100, best[i + 1] / best[i], static_cast<unsigned long long>(met[i]),
                  static_cast<unsigned long long>(met[i + 1]));
  }
}
