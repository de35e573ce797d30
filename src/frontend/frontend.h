// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Front end: C and C++ sources (or LLVM's own files, read_ir.h) in, a linked Program out. Clang 19 runs in process,
// once a translation unit, at -O0 -g without optnone; then locals become values and straight lines of blocks one block,
// nothing else (analysing -O1 invents races). Preprocessed files (.i, .ii) are compiled for the data model they were
// preprocessed for. Several units are linked as a linker would.
//
//   for each unit: compile_unit (clang) → clean_up → lowering → Program; then program/link/link.h
//
// Fidelity is a promise: gnu89 inline semantics for preprocessed C, so that `inline` bodies survive; a function that
// has source text but no body in the IR is an error here, never "no effect" later. No access to memory that other
// threads could see is dropped or added, and none leaves its guard. Cost: mostly clang's at -O0; about 10 ms for a
// small preprocessed program, half a second for one that includes the C++ thread headers, 7 s for a single function of
// 100 000 lines.
#pragma once
#include <vector>

#include "base/result.h"
#include "frontend/clang/source.h"
#include "program/model/program.h"

namespace heddle::frontend {

/// Compiles one unit, for program/unit/unit_file.h and program/link/link.h: its symbols and aliases are not resolved.
Result<Program> read_unit(const Source& source, const Options& options);

/// Compiles C text that is no file, for a machine given as LLVM names it. `name` stands for the file.
Result<Program> read_text(const std::string& text, const std::string& name, const std::string& target);

/// Compiles and links. On failure the message is clang's own diagnostics, one per line, with file:line:column.
Result<Program> read_sources(const std::vector<Source>& sources, const Options& options);

}  // namespace heddle::frontend
