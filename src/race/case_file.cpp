// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "race/case_file.h"

namespace heddle::race {

RaceVerdict CaseFile::verdict() const {
  if (find<Confirmed>() != nullptr) return RaceVerdict::Confirmed;
  if (find<Refuted>() != nullptr) return RaceVerdict::Refuted;
  if (find<Witnessed>() != nullptr) return RaceVerdict::Witnessed;
  if (find<Unlikely>() != nullptr) return RaceVerdict::Unlikely;
  return RaceVerdict::Likely;
}

bool CaseFile::is_open() const { return find<Confirmed>() == nullptr && find<Refuted>() == nullptr; }

std::string_view to_text(Grade grade) {
  switch (grade) {
    case Grade::Replay: return "replay";
    case Grade::Unordered: return "unordered";
    case Grade::Met: return "met";
  }
  return "replay";
}

std::string_view to_text(Proof::Form form) {
  switch (form) {
    case Proof::Form::Exhaustion: return "exhaustion";
    case Proof::Form::States: return "states";
    case Proof::Form::History: return "history";
    case Proof::Form::Transactions: return "transactions";
    case Proof::Form::Values: return "values";
  }
  return "exhaustion";
}

}  // namespace heddle::race
