// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Witnesses in the exchange format of SV-COMP, version 2.2 (docs/witnesses.md): of a confirmed race the schedule, as
// waypoints that its threads pass in this order; of a proof a set of invariants, which is empty, for what heddle proves
// are not statements about variables.
#pragma once
#include <string>

#include "pipeline/load.h"
#include "race/docket.h"

namespace heddle::pipeline {

/// Writes it, if there is a verdict to witness. `data_model` as --data-model; empty: as the program is.
Result<void> keep_witness(const Input& input, const Program& program, const api::ApiModels& models,
                          const race::Docket& docket, const std::string& file);

}  // namespace heddle::pipeline
