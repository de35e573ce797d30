// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/clang/clang_command.h"

#include "base/contains.h"
#include "build/driver_call.h"
#include "build/foreign_flags.h"
#include "frontend/clang/toolchain.h"
#include "frontend/scratch_source.h"
#include "host/shell_words.h"

namespace heddle::frontend {
namespace HEDDLE_TEST_FILE {

using Words = std::vector<std::string>;

build::CompileCommand recorded(const std::string& line) {
  build::CompileCommand command{"/x", "", "", *host::split_shell_words(line)};
  const build::DriverCall call = build::read_driver_call(command.arguments);
  if (!call.inputs.empty()) command.file = command.arguments[call.inputs.front().index];
  return command;
}

/// The user's part: what stands between `-c` and what we add for every command.
std::string kept(const std::string& line, const build::RealCompiler& compiler = {}) {
  const auto command = to_clang_command(recorded(line), compiler);
  if (!command) return "error: " + command.error().message;
  std::string out;
  for (std::size_t i = 2; i < command->arguments.size(); ++i) {
    if (command->arguments[i] == lenient_flags(false).front() || command->arguments[i] == lenient_flags(true).front())
      break;
    out += (out.empty() ? "" : " ") + command->arguments[i];
  }
  return out;
}

std::string dropped(const std::string& line) {
  const auto command = to_clang_command(recorded(line), {});
  std::string out;
  for (const std::string& flag : command->dropped) out += (out.empty() ? "" : " ") + flag;
  return out;
}

TEST(ClangCommand, KeepsWhatDecidesTheMeaning) {
  EXPECT_EQ(
      kept(
          "gcc -DA=1 -U B -Iinc -I inc2 -include x.h -std=gnu99 -m32 -pthread -fno-common -fwrapv -Wall -c a.c -o a.o"),
      "-DA=1 -U B -Iinc -I inc2 -include x.h -std=gnu99 -m32 -pthread -fno-common -fwrapv -Wall");
  EXPECT_EQ(kept("g++ -Wp,-D_FORTIFY_SOURCE=2 -fno-exceptions -c a.cpp"), "-Wp,-D_FORTIFY_SOURCE=2 -fno-exceptions");
}

TEST(ClangCommand, LeavesOutOutputsAndErrorsSilently) {
  const std::string line =
      "gcc -c a.c -o a.o -MD -MF a.d -MTa.o -MP -Wp,-MMD,x.d -Werror -Werror=format -pipe -save-temps=obj "
      "-Wa,--noexecstack";
  EXPECT_EQ(kept(line), "");
  EXPECT_EQ(dropped(line), "");
}

TEST(ClangCommand, OfFirmware) {
  EXPECT_EQ(kept("avr-gcc -mmcu=atmega328p -Os -flto -fno-fat-lto-objects -mcall-prologues -mrelax -fshort-enums "
                 "-Wl,--gc-sections -fpack-struct -c a.c"),
            "-mmcu=atmega328p -mrelax -fshort-enums -fpack-struct");
  EXPECT_EQ(kept("arm-none-eabi-gcc -mcpu=cortex-m4 -mthumb -mthumb-interwork -mfloat-abi=hard -mfpu=fpv4-sp-d16 "
                 "-mslow-flash-data --specs=nano.specs -nostdlib -T link.ld -c a.c"),
            "-mcpu=cortex-m4 -mthumb -mfloat-abi=hard -mfpu=fpv4-sp-d16 -nostdlib");
  EXPECT_EQ(dropped("arm-none-eabi-gcc -mthumb-interwork -mslow-flash-data -c a.c"),
            "-mthumb-interwork -mslow-flash-data");
  build::RealCompiler arm;
  arm.kind = build::RealCompiler::Kind::Gcc;
  arm.triple = "arm-none-eabi";
  arm.standard = "gnu17";
  arm.enums_are_short = true;
  EXPECT_TRUE(kept("arm-none-eabi-gcc -c a.c", arm).contains("--target=arm-none-eabi -std=gnu17"));
  EXPECT_TRUE(kept("arm-none-eabi-gcc -c a.c", arm).contains(" -fshort-enums"));
  EXPECT_FALSE(kept("arm-none-eabi-gcc -fno-short-enums -c a.c", arm).contains(" -fshort-enums"));
}

TEST(ClangCommand, DropsAndListsFlagsOfGcc) {
  EXPECT_EQ(kept("gcc -fipa-pta -fno-tree-sra --param foo=1 -fplugin=x.so -mno-fp-ret-in-387 -fno-such-flag-of-any -DA "
                 "-c a.c"),
            "-DA");
  EXPECT_EQ(dropped("gcc -fipa-pta --param foo=1 -fno-such-flag-of-any -DA -c a.c"),
            "-fipa-pta --param foo=1 -fno-such-flag-of-any");
  EXPECT_EQ(
      kept("gcc -fprofile-generate --coverage -pg -fsanitize=thread -finstrument-functions -flto=auto -g0 -c a.c"), "");
}

TEST(ClangCommand, InputsOfPrecompiledHeadersAndPluginsAreNotForUs) {
  EXPECT_EQ(
      kept("clang -Xclang -include-pch -Xclang p.pch -Xclang -include -Xclang p.h -Xclang -load -Xclang l.so -c a.c"),
      "-Xclang -include -Xclang p.h");
}

TEST(ClangCommand, EndsWithLanguageAndFile) {
  const auto ends = [](const std::string& line) {
    const auto command = to_clang_command(recorded(line), {});
    const Words& all = command->arguments;
    return all.at(all.size() - 4) + " " + all.at(all.size() - 3) + " " + all.at(all.size() - 2) + " " + all.back();
  };
  EXPECT_EQ(ends("gcc -c a.c"), "-x c -- a.c");
  EXPECT_EQ(ends("g++ -c a.c"), "-x c++ -- a.c");
  EXPECT_EQ(ends("gcc -xc++ -c a.c"), "-x c++ -- a.c");
  EXPECT_EQ(ends("gcc -c a.i"), "-x cpp-output -- a.i");
  EXPECT_EQ(kept("gcc -x c -c a.txt"), "");
}

TEST(ClangCommand, ACommandWithoutItsFileIsAnError) {
  build::CompileCommand command = recorded("gcc -c a.c");
  command.file = "b.c";
  EXPECT_FALSE(to_clang_command(command, {}));
}

TEST(ClangCommand, SaysWhatTheRealCompilerTakesForGranted) {
  build::RealCompiler gcc;
  gcc.kind = build::RealCompiler::Kind::Gcc;
  gcc.triple = "arm-linux-gnueabihf";
  gcc.standard = "gnu89";
  gcc.char_is_unsigned = true;
  gcc.merges_tentative = true;
  gcc.defines = {"BOARD=3"};
  gcc.system_folders = {"/sys/first", "", "/sys/last"};
  gcc.own_folders = {"/sys/lib/gcc/arm/4/include"};
  const std::string folders = " -nostdinc -isystem /sys/first -isystem " + clang_headers() + " -isystem /sys/last";
  EXPECT_EQ(kept("arm-gcc -DA -c a.c", gcc),
            "-DA --target=arm-linux-gnueabihf -DBOARD=3 -std=gnu89 -funsigned-char -fcommon" + folders);
  EXPECT_EQ(kept("arm-gcc --target=x -std=c99 -fsigned-char -fno-common -nostdinc -c a.c", gcc),
            "--target=x -std=c99 -fsigned-char -fno-common -nostdinc -DBOARD=3");
  EXPECT_EQ(kept("gcc -nostdinc -isystem /usr/lib/gcc/x86_64-linux-gnu/12/include -c a.c"),
            "-nostdinc -isystem " + clang_headers());
}

TEST(ClangCommand, KernelCodeKeepsItsLevelOthersAreReadAtO0) {
  const auto plain = to_clang_command(recorded("gcc -O2 -c a.c"), {});
  EXPECT_EQ(plain->optimisation, Optimisation::None);
  EXPECT_TRUE(contains(plain->arguments, "-O0"));
  EXPECT_FALSE(contains(plain->arguments, "-O2"));
  const auto kernel = to_clang_command(recorded("gcc -O2 -D__KERNEL__ -c a.c"), {});
  EXPECT_EQ(kernel->optimisation, Optimisation::Own);
  EXPECT_TRUE(contains(kernel->arguments, "-O2"));
  EXPECT_TRUE(contains(kernel->arguments, "-disable-llvm-passes"));
  EXPECT_FALSE(contains(kernel->arguments, "-O0"));
}

TEST(RetryCommand, FirstWithoutTheRefusedFlagThenWithTheOwnLevel) {
  const build::CompileCommand command = recorded("gcc -O2 -march=future -DA -c a.c");
  const auto first = to_clang_command(command, {});
  const auto second =
      retry_command(command, {}, *first, "error: unknown target CPU 'future'\nnote: valid target CPU values are: x");
  ASSERT_TRUE(second);
  EXPECT_FALSE(contains(second->arguments, "-march=future"));
  EXPECT_TRUE(contains(second->dropped, "-march=future"));
  EXPECT_EQ(second->optimisation, Optimisation::None);
  const auto third = retry_command(command, {}, *second, "a.c:3:1: error: constraint 'i' expects an integer constant");
  ASSERT_TRUE(third);
  EXPECT_EQ(third->optimisation, Optimisation::Own);
  EXPECT_FALSE(contains(third->arguments, "-march=future"));
  EXPECT_TRUE(contains(third->arguments, "-DA"));
  EXPECT_FALSE(retry_command(command, {}, *third, "a.c:3:1: error: constraint 'i' expects an integer constant"));
}

TEST(RetryCommand, HeadersThatOnlyGccHasComeBehindAllOthers) {
  const ScratchFolder folder;
  folder.write("omp.h", "");
  build::RealCompiler gcc;
  gcc.kind = build::RealCompiler::Kind::Gcc;
  gcc.own_folders = {folder.path(".")};
  const build::CompileCommand command = recorded("gcc -O2 -c a.c");
  const auto first = to_clang_command(command, gcc);
  EXPECT_FALSE(contains(first->arguments, folder.path(".")));
  const std::string message = "a.c:1:10: fatal error: 'omp.h' file not found";
  const auto second = retry_command(command, gcc, *first, message);
  ASSERT_TRUE(second);
  EXPECT_TRUE(contains(second->arguments, folder.path(".")));
  EXPECT_EQ(second->arguments.back(), "a.c");
  EXPECT_FALSE(retry_command(command, gcc, *second, message));
}

TEST(RetryCommand, DoesNotTryWhatCannotHelp) {
  const build::CompileCommand optimised = recorded("gcc -O2 -c a.c");
  EXPECT_FALSE(
      retry_command(optimised, {}, *to_clang_command(optimised, {}), "a.c:1:10: fatal error: 'x.h' file not found"));
  const build::CompileCommand plain = recorded("gcc -O0 -c a.c");
  EXPECT_FALSE(retry_command(plain, {}, *to_clang_command(plain, {}), "a.c:1:1: error: expected expression"));
}

/// Flags of gcc 12 that clang 19 refuses, one of each family and each kind of refusal.
TEST(ForeignFlags, NothingIsLeftThatClangsDriverRefuses) {
  for (const std::string flag : {"-fno-var-tracking-assignments",
                                 "-fconserve-stack",
                                 "-ftree-pre",
                                 "-fipa-icf",
                                 "-fira-region=one",
                                 "-fsched-pressure",
                                 "-fanalyzer",
                                 "-fdump-passes",
                                 "-fgraphite",
                                 "-fstack-check=no",
                                 "-gstabs+",
                                 "-gtoggle",
                                 "-mhard-float",
                                 "-mrecord-mcount",
                                 "-p",
                                 "-C",
                                 "-traditional-cpp",
                                 "-fno-for-scope",
                                 "-flto=1",
                                 "-fno-extended-identifiers",
                                 "-fpcc-struct-return",
                                 "-fdiagnostics-urls=never",
                                 "-fdiagnostics-plain-output",
                                 "-mno-sse5",
                                 "-mabm",
                                 "-fcall-saved-1",
                                 "-ffixed-1",
                                 "-fvtable-verify=std",
                                 "-mmanual-endbr",
                                 "-fmodules-ts",
                                 "-fno-ree",
                                 "-fsso-struct=big-endian",
                                 "-fprofile-reorder-functions",
                                 "-fharden-compares",
                                 "-mforce-drap",
                                 "-fexec-charset=latin1",
                                 "-mtune=nothing",
                                 "-fzee",
                                 "-femit-class-debug-always"}) {
    const std::string rest = kept("gcc " + flag + " -c a.c");
    EXPECT_EQ(rest, "") << flag;
  }
}

TEST(ForeignFlags, WhatClangKnowsAndNeedsStays) {
  for (const std::string flag :
       {"-fshort-enums", "-funsigned-char", "-fPIC", "-mavx2", "-march=native", "-fopenmp", "-ansi", "-fno-builtin",
        "-ffreestanding", "-fpack-struct=4", "-fgnu89-inline", "-nostdinc", "-fblocks"})
    EXPECT_EQ(kept("gcc " + flag + " -c a.c"), flag);
}

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle::frontend
