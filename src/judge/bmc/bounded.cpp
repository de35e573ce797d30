// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "judge/bmc/bounded.h"

#include "judge/bmc/constraints.h"
#include "judge/bmc/drive.h"
#include "judge/bmc/unroll.h"

namespace heddle::judge::bmc {

BoundedResult find_race_within_bounds(const Program& program, const api::ApiModels& models, FunctionId main,
                                      const explore::Subject& subject, const BoundedOptions& options) {
  BoundedResult out;
  for (std::uint32_t rounds = 1; rounds <= options.most_rounds; rounds *= 2) {
    try {
      UnrollOptions how;
      how.rounds = rounds;
      how.stop = options.stop;
      Unrolled unrolled = unroll(program, models, main, how);
      std::string why_not;
      const auto is_confirmed = [&](const Witness& witness) {
        Driven driven = drive(subject, unrolled.execution, witness);
        out.race = std::move(driven.race);
        if (!out.race && out.unconfirmed++ == 0) why_not = std::move(driven.why);
        return out.race.has_value();
      };
      const RaceLimits limits{.conflicts = options.most_conflicts, .stop = options.stop};
      const smt::Answer answer = find_races_in(unrolled, limits, is_confirmed);
      if (out.race) return out;
      if (out.unconfirmed > 0) {
        out.why = "what the solver found could not be run: " + why_not;
        return out;
      }
      if (answer == smt::Answer::Unknown) {
        out.why = options.stop.is_asked() ? options.stop.why() : "the solver met its limit";
        break;
      }
      out.rounds = rounds;
      if (!unrolled.execution.is_cut) {
        out.why = "no race was found, which proves nothing";
        return out;
      }
    } catch (const NoEncoding& none) {
      out.why = "it cannot be put as a question: " + none.why;
      break;
    }
  }
  if (out.rounds > 0) {
    const std::string beyond = out.why.empty() ? "" : "; beyond that: " + out.why;
    out.why =
        "loops may go more than " + std::to_string(out.rounds) + (out.rounds == 1 ? " round" : " rounds") + beyond;
  }
  return out;
}

}  // namespace heddle::judge::bmc
