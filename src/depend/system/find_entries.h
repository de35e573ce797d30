// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The entries of a system: what heddle.toml and an OIL file name, what the code shows (attributes, vector tables, usual
// names, calls that start tasks: threads/outside_entries.h), main, and the constructors.
//
// What is written goes before what is found, heddle.toml before the OIL file; each fills the gaps of the one before. A
// function that calls start with several priorities is several entries, unless something written says what it is.
#pragma once
#include <string>
#include <vector>

#include "api/models/api_models.h"
#include "base/result.h"
#include "depend/system/oil_reader.h"
#include "depend/system/system_entry.h"

namespace heddle::depend {

struct FoundEntries {
  std::vector<SystemEntry> entries;  ///< by function, then as they were found
  std::vector<std::string> notes;    ///< what an OIL file names and the program does not have
};

/// Errors: a function that heddle.toml names and the program does not have, with the nearest names; two kinds,
/// priorities or numbers for one function.
[[nodiscard]] Result<FoundEntries> find_entries(const Program& program, const api::ApiModels& models,
                                                const OilSystem* oil);

}  // namespace heddle::depend
