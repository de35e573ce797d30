// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which file a program's name leads to, and whether it may be started although a project named it: what a project
// brings along is not run unless the user asked for that.
#pragma once
#include <filesystem>
#include <string>

namespace heddle::host {

/// `gcc` by PATH, whose relative folders are passed over; a name with a folder is meant from `directory` on. The path
/// keeps its links: programs ask by which name they were called. Empty: there is none.
std::filesystem::path program_file(const std::string& name, const std::string& directory);

/// Why the program should not be started, as the end of a sentence that begins with its name; empty: it lies in a
/// folder of the system or of PATH, outside of `project`, and nobody but the user and root can change it.
std::string why_not_to_start(const std::filesystem::path& program, const std::filesystem::path& project);

/// Nobody but the user and root can change it: neither owns it, nor may write it by its mode.
bool is_in_own_hands(const std::filesystem::path& file);

}  // namespace heddle::host
