// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "build/driver_call.h"

#include <gtest/gtest.h>

#include "host/shell_words.h"

namespace heddle::build {
namespace HEDDLE_TEST_FILE {

using Words = std::vector<std::string>;

TEST(CompilerNames, AreDriversOfCAndCxx) {
  for (const char* name : {"cc", "c++", "gcc", "g++", "clang", "clang++", "/usr/bin/gcc-12", "g++-12.2", "clang++-19",
                           "x86_64-linux-gnu-gcc-12", "arm-none-eabi-g++", "gcc4.8", "clang19",
                           "i686-w64-mingw32-gcc-posix", "./cc", "musl-gcc", "c99"})
    EXPECT_TRUE(is_compiler(name)) << name;
  for (const char* name : {"gcc-ar", "gcc-nm-12", "clang-format", "clang-tidy-19", "cc1", "cpp", "ccache", "make", "",
                           "-", "12", "clang-19-x", "icecc", "tcc", "/usr/lib/gcc/"})
    EXPECT_FALSE(is_compiler(name)) << name;
  EXPECT_TRUE(is_compiler("/opt/mycc", {"mycc"}));
}

/// "link: a.c=C b.S=Assembly -> prog"
std::string shown(const std::string& line) {
  const Words arguments = *host::split_shell_words(line);
  const DriverCall call = read_driver_call(arguments);
  constexpr const char* steps[] = {"query", "preprocess", "assembly", "object", "link"};
  constexpr const char* languages[] = {"C", "Cxx", "Header", "Assembly", "Other", "Linked"};
  std::string out = steps[static_cast<int>(call.step)] + std::string(":");
  for (const DriverInput& input : call.inputs)
    out += " " + arguments[input.index] + "=" + languages[static_cast<int>(input.language)];
  return out + (call.output.empty() ? "" : " -> " + call.output);
}

TEST(DriverCall, FindsInputsLanguagesAndOutput) {
  EXPECT_EQ(shown("gcc -O2 -I inc -include x.c -c a.c -o a.o"), "object: a.c=C -> a.o");
  EXPECT_EQ(shown("gcc a.c b.S c.o -lm -o prog"), "link: a.c=C b.S=Assembly c.o=Linked -> prog");
  EXPECT_EQ(shown("g++ -c a.c -oa.o"), "object: a.c=Cxx -> a.o");
  EXPECT_EQ(shown("gcc -x c++ a.c -x none b.c"), "link: a.c=Cxx b.c=C");
  EXPECT_EQ(shown("gcc -xc -c -"), "object: -=C");
  EXPECT_EQ(shown("cc -c -- -a.c"), "object: -a.c=C");
  EXPECT_EQ(shown("gcc -x c++-header all.h -o all.h.gch"), "link: all.h=Header -> all.h.gch");
  EXPECT_EQ(shown("gcc -c k.cu f.f90"), "object: k.cu=Other f.f90=Other");
}

TEST(DriverCall, TellsHowFarItGoes) {
  EXPECT_EQ(shown("gcc -E a.c"), "preprocess: a.c=C");
  EXPECT_EQ(shown("gcc -c -E a.c"), "preprocess: a.c=C");
  EXPECT_EQ(shown("gcc -MM a.c"), "preprocess: a.c=C");
  EXPECT_EQ(shown("gcc -MMD -MF a.d -c a.c"), "object: a.c=C");
  EXPECT_EQ(shown("gcc -S a.c"), "assembly: a.c=C");
  EXPECT_EQ(shown("gcc --version"), "query:");
  EXPECT_EQ(shown("gcc -print-file-name=crt1.o a.c"), "query: a.c=C");
  EXPECT_EQ(shown("gcc"), "query:");
}

std::string bare(const std::string& line, const std::string& directory = "/d") {
  const BareCall call = without_launchers(directory, *host::split_shell_words(line));
  std::string out = call.directory + ":";
  for (const std::string& argument : call.arguments) out += " " + host::quote_shell_word(argument);
  return out;
}

TEST(Launchers, AreTakenOff) {
  EXPECT_EQ(bare("gcc -c a.c"), "/d: gcc -c a.c");
  EXPECT_EQ(bare("ccache gcc -c a.c"), "/d: gcc -c a.c");
  EXPECT_EQ(bare("/usr/bin/ccache distcc /usr/bin/g++ -c a.c"), "/d: /usr/bin/g++ -c a.c");
  EXPECT_EQ(bare("env -u X A=B LC_ALL=C gcc -DA='x y' -c a.c"), "/d: gcc '-DA=x y' -c a.c");
  EXPECT_EQ(bare("CCACHE_DIR=/x ccache cc -c a.c"), "/d: cc -c a.c");
  EXPECT_EQ(bare("sh -c 'cd sub && gcc -c a.c'"), "/d/sub: gcc -c a.c");
  EXPECT_EQ(bare("/bin/bash ../libtool --tag=CC --mode=compile gcc -c a.c"), "/d: gcc -c a.c");
  EXPECT_EQ(bare("libtool --silent --mode=compile gcc -c a.c"), "/d: gcc -c a.c");
  EXPECT_EQ(bare("cd /x/../y && gcc -c a.c 2>&1 > log"), "/y: gcc -c a.c");
  EXPECT_EQ(bare(": && g++ a.o -o p && :"), "/d: g++ a.o -o p");
  EXPECT_EQ(bare("nice -n 5 gcc -c a.c"), "/d: gcc -c a.c");
}

TEST(Launchers, WithoutACompilerGiveNothing) {
  for (const char* line :
       {"", "touch x", "ccache --version", "sh script.sh gcc", "env", "sh -c", "sh -c 'x", "&& ;", "ld a.o"})
    EXPECT_TRUE(without_launchers("/d", host::split_shell_words(line).value_or(Words{})).arguments.empty()) << line;
}

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle::build
