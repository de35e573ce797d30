// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Triples for programs: JSON, and the report that SARIF is written from.
#pragma once
#include <string>

#include "pipeline/depend/triples_shown.h"
#include "report/race_report.h"

namespace heddle::pipeline {

/// docs/depend.md has the fields.
std::string triples_json(const TriplesShown& shown);
RaceReport triples_report(const TriplesShown& shown);

}  // namespace heddle::pipeline
