// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reading files that may not be files: a project can put a FIFO, a device, a folder or an endless file wherever it
// likes. Those are refused with a word; nothing is waited for.
#pragma once
#include <cstdint>
#include <string>

#include "base/result.h"

namespace heddle {

/// More is no source, no report and no list.
inline constexpr std::uint64_t largest_file = std::uint64_t{4} << 30;

/// All bytes of a plain file (or of /dev/null). The message of an error goes on behind the file's name: `is a FIFO, not
/// a file`.
Result<std::string> read_file(const std::string& path, std::uint64_t most = largest_file);

/// The same of a file that the user named on the command line: what he hands over as /dev/stdin or <(COMMAND) is read,
/// too.
Result<std::string> read_given_file(const std::string& path);

/// Why read_file() would refuse it, for those who read it in another way; empty: it is a plain file, or missing.
std::string why_not_plain(const std::string& path);
/// The same for read_given_file().
std::string why_not_given(const std::string& path);

/// Names what somebody hands over to this process: /dev/stdin, /dev/fd/63.
bool is_handed_over(const std::string& path);

}  // namespace heddle
