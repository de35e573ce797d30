// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `[system]`, `[[mask]]`, `[[critical_section]]` and `[[exclusion]]` -> SystemRules. Internal to src/api: it shows
// toml++ types.
//
//   [system]                               [[mask]]                           [[exclusion]]
//   cores = 2                              disable = "irq_off"                entries = ["parked", "highway"]
//   redundant = [["speed", "speed2"]]      enable = "irq_on"                  reason = "speed = 0 against speed > 100"
//   interrupts = ["tick"]                  argument = 0
//
// `[system]` also takes the names that Polyspace has for these notions; those that name entries become EntryRules.
#pragma once
#include <vector>

#include "api/effect.h"
#include "api/reader/toml_places.h"
#include "api/system_rules.h"

namespace heddle::api {

void read_system(const toml::table& table, Messages& messages, SystemRules& out, std::vector<EntryRule>& entries);
void read_mask(const toml::table& table, Messages& messages, SystemRules& out);
void read_critical_section(const toml::table& table, Messages& messages, SystemRules& out);
void read_exclusion(const toml::table& table, Messages& messages, SystemRules& out);

}  // namespace heddle::api
