// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "judge/bmc/bounded.h"

#include <algorithm>

#include "judge/bmc/constraints.h"
#include "judge/bmc/drive.h"
#include "judge/bmc/unroll.h"

namespace heddle::judge::bmc {

namespace {

constexpr std::uint64_t first_points = 60, most_points = 480;
constexpr std::uint64_t most_clauses = 5'000'000;  // of all questions, which is what undecided programs cost

struct Bounds {
  std::uint32_t rounds = 1;
  std::uint64_t points = first_points;
};

class Deepening {
 public:
  Deepening(const Program& program, const api::ApiModels& models, FunctionId main, const explore::Subject& subject,
            const BoundedOptions& options)
      : program_(program), models_(models), main_(main), subject_(subject), options_(options) {}

  BoundedResult run() {
    for (Bounds bounds; look_within(bounds);) {
      const bool is_short = cut_short_ && bounds.points < most_points;
      if (is_short && (points_are_next_ || bounds.rounds >= options_.most_rounds))
        bounds.points *= 2;
      else
        bounds.rounds *= 2;
      points_are_next_ = !points_are_next_;
      if (bounds.rounds > options_.most_rounds) break;
    }
    if (!out_.race && out_.unconfirmed == 0 && out_.rounds > 0 && is_cut_) {
      const std::string beyond = out_.why.empty() ? "" : "; beyond that: " + out_.why;
      const std::string rounds = std::to_string(out_.rounds) + (out_.rounds == 1 ? " round" : " rounds");
      out_.why = "loops may go more than " + rounds + ", or threads further" + beyond;
    }
    return std::move(out_);
  }

 private:
  /// Whether more may be there beyond these bounds.
  bool look_within(const Bounds& bounds) {
    try {
      UnrollOptions how;
      how.rounds = bounds.rounds;
      how.most_points = 10 * bounds.points;
      how.most_points_of_thread = bounds.points;
      how.stop = options_.stop;
      Unrolled unrolled = unroll(program_, models_, main_, how);
      is_cut_ = unrolled.execution.is_cut;
      cut_short_ = unrolled.execution.is_cut_short;
      return ask(unrolled, bounds);
    } catch (const NoEncoding& none) {
      out_.why = "it cannot be put as a question: " + none.why;
      return false;
    }
  }

  bool ask(Unrolled& unrolled, const Bounds& bounds) {
    std::string why_not;
    const auto is_confirmed = [&](const Witness& witness) {
      Driven driven = drive(subject_, unrolled.execution, witness);
      out_.race = std::move(driven.race);
      if (!out_.race && out_.unconfirmed++ == 0) why_not = std::move(driven.why);
      return out_.race.has_value();
    };
    RaceLimits limits{.conflicts = options_.most_conflicts * options_.patience, .stop = options_.stop};
    limits.effort *= options_.patience;
    limits.clauses = std::min(limits.clauses, most_clauses * options_.patience - clauses_);
    const auto [answer, clauses] = find_races_in(unrolled, limits, is_confirmed);
    clauses_ += std::min(clauses, limits.clauses);
    if (out_.race) return false;
    if (out_.unconfirmed > 0) {
      out_.why = "what the solver found could not be run: " + why_not;
    } else if (answer == smt::Answer::Unknown) {
      out_.why = options_.stop.is_asked() ? options_.stop.why() : "the solver met its limit";
    } else {
      out_.rounds = bounds.rounds;
      if (is_cut_) return true;
      out_.why = "no race was found, which proves nothing";
    }
    return false;
  }

  const Program& program_;
  const api::ApiModels& models_;
  FunctionId main_;
  const explore::Subject& subject_;
  const BoundedOptions& options_;
  BoundedResult out_;
  std::uint64_t clauses_ = 0;                ///< of the questions so far
  bool is_cut_ = false, cut_short_ = false;  ///< by the latest bounds
  bool points_are_next_ = true;
};

}  // namespace

BoundedResult find_race_within_bounds(const Program& program, const api::ApiModels& models, FunctionId main,
                                      const explore::Subject& subject, const BoundedOptions& options) {
  return Deepening(program, models, main, subject, options).run();
}

}  // namespace heddle::judge::bmc
