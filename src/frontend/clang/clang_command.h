// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A recorded compile command as our own clang can run it. All arguments stay, except those of foreign_flags.h and those
// that clang's table of options does not know; each of them is listed in `dropped`. What the recorded compiler took for
// granted (real_compiler.h) becomes arguments.
//
//   gcc -O2 -fipa-pta -Wall -Iinc -c a.c -o a.o
//   → clang -c -Wall -Iinc --target=x86_64-linux-gnu -std=gnu17 -nostdinc -isystem … -g -O0 -Xclang … -x c -- a.c
//
// Code is normally read at -O0. Some code cannot be: headers that need __OPTIMIZE__ or a folded __builtin_constant_p,
// the Linux kernel. Then it keeps its own level with LLVM's passes off, which gives the same instructions. Which it is
// gets decided by need: kernel code at once, everything else when -O0 failed (retry_command).
//
//   auto command = to_clang_command(recorded, compiler);
//   while (compiling it says `message`)
//     if (auto next = retry_command(recorded, compiler, command, message)) command = *next; else give up;
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "build/compile_command.h"
#include "build/real_compiler.h"

namespace heddle::frontend {

enum class Optimisation {
  None,  ///< -O0
  Own,   ///< the command's own level, LLVM's passes off
};

struct ClangCommand {
  std::string directory;               ///< to run it in
  std::vector<std::string> arguments;  ///< of clang's driver, from its own path to `-- FILE`
  std::vector<std::string> dropped;    ///< as they stood in the command, without outputs and warnings-as-errors
  Optimisation optimisation = Optimisation::None;
};

/// An error: the command compiles no C or C++ file of that name.
Result<ClangCommand> to_clang_command(const build::CompileCommand& command, const build::RealCompiler& compiler);

/// What to try after `failed` ended with clang's `message`: without the flag that clang's driver refused; with gcc's
/// own headers behind all others, if the missing one is among them; or, if the command optimises and the message is not
/// about a missing file, with its own level. Nothing when nothing is left.
std::optional<ClangCommand> retry_command(const build::CompileCommand& command, const build::RealCompiler& compiler,
                                          const ClangCommand& failed, const std::string& message);

/// The arguments that clang's driver has an option for, in order; the others go to `dropped`. [0] stays.
std::vector<std::string> known_to_clang(const std::vector<std::string>& arguments, std::vector<std::string>& dropped);

}  // namespace heddle::frontend
