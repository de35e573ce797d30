// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "build/real_compiler.h"

#include "frontend/scratch_source.h"

namespace heddle::build {
namespace HEDDLE_TEST_FILE {

constexpr const char* verbose = R"(Using built-in specs.
Target: arm-linux-gnueabihf
gcc version 9.3.0
#include "..." search starts here:
#include <...> search starts here:
 /usr/lib/gcc-cross/../lib/gcc/arm-linux-gnueabihf/9/include
 /usr/arm-linux-gnueabihf/sys include
 /usr/lib/gcc/arm-linux-gnueabihf/9/include-fixed
 /usr/include
End of search list.
 /not/one
)";

TEST(RealCompiler, AnswerIsUnderstood) {
  const RealCompiler gcc = read_compiler_answer(
      "#define __GNUC__ 9\n#define __STDC_VERSION__ 201710L\n#define __CHAR_UNSIGNED__ 1\n#define linux 1\n"
      "#define BOARD 3\n#define __VFP_FP__ 1\n#define F(x) x\n#define EMPTY\n",
      verbose, false);
  EXPECT_EQ(gcc.kind, RealCompiler::Kind::Gcc);
  EXPECT_EQ(gcc.triple, "arm-linux-gnueabihf");
  EXPECT_EQ(gcc.system_folders, (std::vector<std::string>{"", "/usr/arm-linux-gnueabihf/sys include", "/usr/include"}));
  EXPECT_EQ(gcc.own_folders.size(), 2u);
  EXPECT_EQ(gcc.defines, (std::vector<std::string>{"BOARD=3", "EMPTY="}));
  EXPECT_EQ(gcc.standard, "gnu17");
  EXPECT_TRUE(gcc.char_is_unsigned);
  EXPECT_TRUE(gcc.merges_tentative);
}

TEST(RealCompiler, WhatCrossCompilersTakeForGranted) {
  const std::string gnu = "#define __GNUC__ 12\n";
  const RealCompiler avr = read_compiler_answer(
      gnu + "#define AVR 1\n#define __AVR_ATmega328P__ 1\n#define __AVR_DEVICE_NAME__ atmega328p\n#define __AVR 1\n",
      "Target: avr\nEnd of search list.\n", false);
  EXPECT_EQ(avr.defines, (std::vector<std::string>{"AVR=1", "__AVR_ATmega328P__=1", "__AVR_DEVICE_NAME__=atmega328p"}));
  EXPECT_FALSE(avr.enums_are_short);
  const auto arm = [&](const std::string& size) {
    return read_compiler_answer(gnu + "#define __ARM_SIZEOF_MINIMAL_ENUM " + size + "\n",
                                "Target: arm-none-eabi\nEnd of search list.\n", false);
  };
  EXPECT_TRUE(arm("1").enums_are_short);
  EXPECT_FALSE(arm("4").enums_are_short);
}

TEST(RealCompiler, FlagsOfCrossCompilersThatDecide) {
  EXPECT_EQ(default_deciding_flags({"avr-gcc", "-mmcu=atmega328p", "-Os", "-mcall-prologues", "-c", "a.c"}),
            (std::vector<std::string>{"-mmcu=atmega328p"}));
  // A file of the project could start programs; one of the compiler's own may be named.
  EXPECT_EQ(default_deciding_flags({"arm-none-eabi-gcc", "-mthumb", "-mcpu=cortex-m3", "--specs=nano.specs",
                                    "-specs=./my.specs", "--specs=/tmp/x.specs", "-T", "a.ld"}),
            (std::vector<std::string>{"-mthumb", "-mcpu=cortex-m3", "--specs=nano.specs"}));
}

TEST(RealCompiler, DefaultStandardsFollowTheVersionMacros) {
  const auto standard = [](const std::string& macros, bool is_cxx) {
    return read_compiler_answer("#define __GNUC__ 12\n" + macros, "Target: x\nEnd of search list.\n", is_cxx).standard;
  };
  EXPECT_EQ(standard("", false), "gnu89");
  EXPECT_EQ(standard("#define __STDC_VERSION__ 199901L\n", false), "gnu99");
  EXPECT_EQ(standard("#define __STDC_VERSION__ 202311L\n", false), "gnu23");
  EXPECT_EQ(standard("#define __STDC_VERSION__ 201112L\n#define __STRICT_ANSI__ 1\n", false), "c11");
  EXPECT_EQ(standard("#define __cplusplus 199711L\n", true), "gnu++98");
  EXPECT_EQ(standard("#define __cplusplus 202002L\n", true), "gnu++20");
}

TEST(RealCompiler, HalfAnAnswerIsNone) {
  const std::string half = std::string(verbose).substr(0, std::string(verbose).find("End of"));
  EXPECT_EQ(read_compiler_answer("#define __GNUC__ 9\n", half, false).kind, RealCompiler::Kind::Missing);
}

TEST(RealCompiler, GarbageIsNoCompiler) {
  EXPECT_EQ(read_compiler_answer("hello", "world", false).kind, RealCompiler::Kind::Missing);
}

TEST(RealCompiler, TriplesOfNames) {
  EXPECT_EQ(triple_in_name("/opt/bin/arm-linux-gnueabihf-gcc-12"), "arm-linux-gnueabihf");
  EXPECT_EQ(triple_in_name("aarch64-linux-gnu-g++"), "aarch64-linux-gnu");
  EXPECT_EQ(triple_in_name("/opt/bin/arm-none-eabi-gcc-12.2.1"), "arm-none-eabi");
  EXPECT_EQ(triple_in_name("avr-g++"), "avr");
  EXPECT_EQ(triple_in_name("gcc-12"), "");
  EXPECT_EQ(triple_in_name("musl-gcc"), "");
}

TEST(RealCompiler, FoldersThatBelongToOneCompiler) {
  for (const char* folder :
       {"/usr/lib/gcc/x86_64-linux-gnu/12/include", "/usr/lib/gcc/x86_64-linux-gnu/12/include-fixed",
        "/usr/lib/gcc-cross/arm-linux-gnueabihf/12/include", "/usr/lib/llvm-19/lib/clang/19/include"})
    EXPECT_TRUE(is_compiler_folder(folder)) << folder;
  for (const char* folder : {"/usr/include", "/usr/include/c++/12",
                             "/usr/lib/gcc/x86_64-linux-gnu/12/plugin/include/c++", "/home/me/gcc/include"})
    EXPECT_FALSE(is_compiler_folder(folder)) << folder;
}

TEST(RealCompilers, AskOnceForEachSetOfFlagsThatMatter) {
  const frontend::ScratchFolder folder;
  const std::string log = folder.path("calls");
  const std::string cc = folder.write("gcc", "#!/bin/sh\necho \"$@\" >> " + log +
                                                 "\necho '#define __GNUC__ 12'\necho 'Target: my-own-target' >&2\n"
                                                 "echo 'End of search list.' >&2\n");
  std::filesystem::permissions(cc, std::filesystem::perms::owner_all);
  RealCompilers compilers({.allowed = {folder.path("*")}});
  const CompileCommand plain{folder.path(""), "a.c", "", {cc, "-O2", "-DX", "-c", "a.c"}};
  EXPECT_EQ(compilers.of(plain).triple, "my-own-target");
  compilers.of({folder.path(""), "b.c", "", {"./gcc", "-Wall", "-c", "b.c"}});
  compilers.of({folder.path(""), "b.c", "", {cc, "-Wall", "-c", "b.c"}});
  compilers.of({folder.path(""), "b.c", "", {cc, "-m32", "-isysroot", "/s", "-c", "b.c"}});
  compilers.of({folder.path(""), "b.cc", "", {cc, "-c", "b.cc"}});
  std::ifstream calls(log);
  std::vector<std::string> lines;
  for (std::string line; std::getline(calls, line);) lines.push_back(line);
  EXPECT_EQ(lines,
            (std::vector<std::string>{"-E -dM -v -x c /dev/null", "-E -dM -v -x c /dev/null",
                                      "-m32 -isysroot /s -E -dM -v -x c /dev/null", "-E -dM -v -x c++ /dev/null"}));
  EXPECT_TRUE(compilers.notes().empty());
}

TEST(RealCompilers, MissingAndForeignOnesAreNotedAndNotRun) {
  const frontend::ScratchFolder folder;
  const std::string tool = folder.write("tool", "#!/bin/sh\ntouch " + folder.path("ran") + "\n");
  std::filesystem::permissions(tool, std::filesystem::perms::owner_all);
  RealCompilers compilers;
  EXPECT_EQ(compilers.of({"/", "a.c", "", {"/no/arm-linux-gnueabihf-gcc", "-c", "a.c"}}).triple, "arm-linux-gnueabihf");
  EXPECT_EQ(compilers.of({"/", "a.c", "", {tool, "-c", "a.c"}}).kind, RealCompiler::Kind::Missing);
  EXPECT_FALSE(std::filesystem::exists(folder.path("ran")));
  ASSERT_EQ(compilers.notes().size(), 2u);
  EXPECT_EQ(compilers.notes()[0],
            "compiler '/no/arm-linux-gnueabihf-gcc' is not here; its commands are read with clang's own "
            "headers for arm-linux-gnueabihf");
}

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle::build
