// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random programs whose threads ask for a number, test it and touch a variable, with a lock or without. Whether there
// is a race is worked out by trying each of the 65 536 values of the number on the tests themselves; the state search,
// which tries a few values, must not prove a program that has one.
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <random>

#include "explore/c_prelude.h"
#include "explore/interpreted/interpreted_program.h"
#include "explore/states/state_search.h"
#include "frontend/scratch_source.h"
#include "pipeline/load.h"

namespace heddle::explore {
namespace HEDDLE_TEST_FILE {

/// A condition on a number `n`, as C and as what it means.
struct Condition {
  std::string text;
  std::function<bool(int)> holds;
};

class Conditions {
 public:
  Conditions(std::mt19937_64& random, bool is_signed) : random_(random), is_signed_(is_signed) {}

  Condition make(int depth) {
    if (depth == 0 || below(3) == 0) return comparison();
    Condition a = make(depth - 1), b = make(depth - 1);
    switch (below(4)) {
      case 0: return {"(" + a.text + " && " + b.text + ")", [a, b](int n) { return a.holds(n) && b.holds(n); }};
      case 1: return {"(" + a.text + " || " + b.text + ")", [a, b](int n) { return a.holds(n) || b.holds(n); }};
      case 2: return {"!" + a.text, [a](int n) { return !a.holds(n); }};
      default:
        return {"(" + a.text + " ? " + b.text + " : !" + b.text + ")",
                [a, b](int n) { return a.holds(n) ? b.holds(n) : !b.holds(n); }};
    }
  }

 private:
  int below(int count) { return static_cast<int>(random_() % static_cast<unsigned>(count)); }

  /// Small ones, the ends of the type, and what lies beside it.
  int constant() {
    switch (below(5)) {
      case 0: return below(12) - 4;
      case 1: return (is_signed_ ? 32767 : 65535) + below(3) - 1;
      case 2: return (is_signed_ ? -32768 : 0) + below(3) - 1;
      default: return below(80'000) - 40'000;
    }
  }

  Condition comparison() {
    const int c = constant(), d = below(50) - 25;
    const std::string right = "(" + std::to_string(c) + ")", moved = "(n + (" + std::to_string(d) + "))";
    switch (below(8)) {
      case 0: return {"(n < " + right + ")", [c](int n) { return n < c; }};
      case 1: return {"(n >= " + right + ")", [c](int n) { return n >= c; }};
      case 2: return {"(n == " + right + ")", [c](int n) { return n == c; }};
      case 3: return {"(n != " + right + ")", [c](int n) { return n != c; }};
      case 4: return {"(" + moved + " > " + right + ")", [c, d](int n) { return n + d > c; }};
      case 5:
        return {"((unsigned)" + moved + " <= (unsigned)" + right + ")",
                [c, d](int n) { return static_cast<unsigned>(n + d) <= static_cast<unsigned>(c); }};
      case 6: {  // one that needs more than comparisons
        const int low = below(20), mask = 1 << below(3);
        return {"(n >= " + std::to_string(low) + " && n < " + std::to_string(low + 8) + " && (n & " +
                    std::to_string(mask) + "))",
                [low, mask](int n) { return n >= low && n < low + 8 && (n & mask) != 0; }};
      }
      default: return {"(n > " + right + ")", [c](int n) { return n > c; }};
    }
  }

  std::mt19937_64& random_;
  bool is_signed_;
};

struct RandomProgram {
  std::string text;
  bool is_racy = false;
};

RandomProgram random_program(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  RandomProgram out;
  std::string threads;
  bool touches[2][2] = {};  // by thread, with the lock and without
  for (int t = 0; t < 2; ++t) {
    const bool is_signed = random() % 2 == 0;
    const Condition first = Conditions(random, is_signed).make(3), second = Conditions(random, is_signed).make(2);
    for (int raw = 0; raw < 65'536; ++raw) {
      const int n = is_signed ? static_cast<std::int16_t>(raw) : raw;
      if (!first.holds(n)) continue;
      touches[t][second.holds(n) ? 1 : 0] = true;
    }
    const std::string type = is_signed ? "short" : "unsigned short";
    threads += "void test" + std::to_string(t) + "(" + type + " n) {\n  if (" + first.text + ") { if (" + second.text +
               ") x++; else { LOCK(m); x++; UNLOCK(m); } }\n}\n";
    threads += "void *t" + std::to_string(t + 1) + "(void *p) { test" + std::to_string(t) + "(__VERIFIER_nondet_" +
               (is_signed ? "short" : "ushort") + "()); return 0; }\n";
  }
  out.is_racy = (touches[0][0] && touches[1][1]) || (touches[0][1] && (touches[1][0] || touches[1][1]));
  out.text = "short __VERIFIER_nondet_short(void); unsigned short __VERIFIER_nondet_ushort(void);\n" + threads +
             "int main(void) { pthread_t h1, h2; pthread_create(&h1, 0, t1, 0); pthread_create(&h2, 0, t2, 0); "
             "return 0; }\n";
  return out;
}

TEST(RandomInputs, NoRaceOfAnyValueIsProvedAway) {
  int racy = 0, safe = 0, proved = 0;
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    const RandomProgram made = random_program(seed);
    const frontend::ScratchFolder folder;
    pipeline::Input input;
    input.sources.push_back({folder.write("case.c", prelude + made.text), {}});
    const Result<Program> program = pipeline::load(input);
    ASSERT_TRUE(program) << program.error().message;
    const Result<api::ApiModels> models = pipeline::load_models(input, *program);
    const bool has_proof = prove_by_states(InterpretedProgram(*program, *models), {}).proof.has_value();
    ASSERT_FALSE(made.is_racy && has_proof) << "seed " << seed << "\n" << made.text;
    racy += made.is_racy ? 1 : 0;
    safe += made.is_racy ? 0 : 1;
    proved += has_proof ? 1 : 0;
  }
  EXPECT_GT(racy, 30);
  EXPECT_GT(safe, 30);
  EXPECT_GT(proved, safe * 3 / 4);
}

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle::explore
