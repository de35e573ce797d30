// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "frontend/clang/source.h"

namespace heddle::frontend {

/// Where the clang of this LLVM is installed. Its driver finds the built-in headers (stddef.h) next to this path.
/// Looked up at run time: beside the library we are linked to, else on PATH. The file need not exist for code without
/// headers.
const std::string& clang_executable();

bool is_preprocessed(const std::string& path);
bool is_c(const std::string& path);
/// Bitcode or its text, by its name (read_ir.h).
bool is_ir_file(const std::string& path);

/// The target of a run, empty for clang's default. One for all sources of a run: they are linked.
std::string target_of(const std::vector<Source>& sources, const Options& options);

/// The folder of clang's own headers (stddef.h, intrinsics).
const std::string& clang_headers();

/// Old code that gcc accepts with a warning, or that clang's newer versions made an error: none of it changes a
/// meaning.
const std::vector<std::string>& lenient_flags(bool is_cxx);

/// Folders of C headers for a target that is not this machine, where clang may not look by itself: it does so only with
/// a gcc for that target. Debian's cross packages keep them in /usr/TARGET/include. glibc's headers for x86 serve both
/// widths, but an x86_64 machine without 32-bit packages keeps them under the 64-bit name.
std::vector<std::string> borrowed_headers(const std::string& target);

/// Code as it was written: no optimisation, and nothing that a later clean-up would have to undo.
const std::vector<std::string>& unoptimised_flags();

/// Headers we lend to a 32-bit compilation on a 64-bit machine, as files in memory: (path, text).
std::vector<std::pair<std::string, std::string>> lent_headers();

/// The driver's arguments for one source: ours, the user's, then those of ours that the user must not undo.
std::vector<std::string> clang_arguments(const Source& source, const std::string& target, const Options& options);

}  // namespace heddle::frontend
