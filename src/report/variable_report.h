// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What `heddle explain VARIABLE` tells: every pair of accesses to a variable that was looked at, with what separates
// it. What makes a race-free program race-free can be read here.
#pragma once
#include <ostream>
#include <string>
#include <vector>

#include "report/race_report.h"

namespace heddle {

struct VariablePair {
  ReportAccess first, second;
  std::string reason;    ///< `common-lock`; empty: nothing separates them
  std::string sentence;  ///< "both surely hold a lock that excludes the other"
  std::string detail;    ///< which lock; often empty
};

struct VariableReport {
  std::string variable;
  std::string driver;                   ///< "verify" or "scan": whose pairs these are
  std::size_t accesses = 0;             ///< instructions that name it, whatever thread makes them
  std::vector<VariablePair> pairs;      ///< in the order of their places
  std::vector<std::string> obstacles;   ///< with any of these the list may not be all
  std::vector<std::string> like_names;  ///< of other variables, if no access has this name
};

namespace report {

/// Pairs with the same reason stand together; those that nothing separates come first.
void write_text(std::ostream& out, const VariableReport& report);
void write_json(std::ostream& out, const VariableReport& report);

}  // namespace report
}  // namespace heddle
