// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "project/native/link_arguments.h"

#include <gtest/gtest.h>

#include "host/shell_words.h"

namespace heddle::project {
namespace HEDDLE_TEST_FILE {

using Texts = std::vector<std::string>;

Texts words(const std::string& line) {
  Texts out;
  std::istringstream in(line);
  for (std::string word; in >> word;) out.push_back(word);
  return out;
}

/// Objects become `ours:NAME`, `-lown` an archive.
LinkArguments relinked(const std::string& line) {
  const LinkParts parts{[](const std::string& argument, build::Language) { return Texts{"ours:" + argument}; },
                        [](const std::string& name, const Texts& folders) {
                          return name == "own" && !folders.empty() ? Texts{folders.back() + "/own"} : Texts{};
                        }};
  return link_arguments(words(line), parts);
}

TEST(LinkArguments, LibrariesAndOrderStay) {
  EXPECT_EQ(relinked("gcc -O2 -g -Wall -DX -Iinc a.o -Llib -L more b.o -lown -lm -l z -pthread -rdynamic -o prog").kept,
            words("ours:a.o -Llib -Lmore ours:b.o more/own -lm -lz -pthread -rdynamic"));
}

TEST(LinkArguments, WordsOfTheLinkerStay) {
  EXPECT_EQ(relinked("gcc a.o -Wl,--start-group,libx.a,-lown,-ly,--end-group -Xlinker --as-needed -Wl,-rpath,/x -u sym "
                     "-z now -T script.ld -o prog")
                .kept,
            words("ours:a.o -Xlinker --start-group ours:libx.a -lown -ly -Xlinker --end-group -Xlinker --as-needed "
                  "-Xlinker -rpath -Xlinker /x -u sym -z now -T script.ld"));
}

TEST(LinkArguments, WhatStartsOtherProgramsStaysOut) {
  const LinkArguments out = relinked(
      "gcc a.o -B/evil -B /evil -specs=/evil/specs --specs=/evil -fuse-ld=/evil/ld --ld-path=/evil/ld -wrapper evil,x "
      "-fplugin=/evil.so -Wl,-plugin,/evil.so,-plugin-opt,x -Xlinker --plugin=/evil.so -Xlinker -plugin -Xlinker "
      "/evil.so -no-canonical-prefixes -o prog");
  EXPECT_EQ(out.kept, words("ours:a.o"));
  for (const char* noted : {"-B/evil", "-specs=/evil/specs", "--ld-path=/evil/ld", "-fuse-ld=/evil/ld"})
    EXPECT_NE(std::ranges::find(out.dropped, noted), out.dropped.end()) << noted;
  EXPECT_EQ(relinked("gcc a.o -fuse-ld=lld").kept, words("ours:a.o -fuse-ld=lld"));
}

TEST(LinkArguments, WhatWritesFilesOrTakesSymbolsOffStaysOut) {
  const LinkArguments out = relinked(
      "gcc -flto=auto -s -static -fsanitize=address a.o -Wl,-s,-Map=x.map,-Map,y.map -Wl,--strip-all -MD -MF d.d "
      "-save-temps -r -o prog");
  EXPECT_EQ(out.kept, words("ours:a.o"));
  EXPECT_EQ(out.dropped, words("-static -fsanitize=address"));
}

TEST(LinkArguments, OfCompileFlags) {
  EXPECT_EQ(link_arguments_of_flags(words("-O2 -DX=1 -I inc -std=c++20 -lm -fopenmp -stdlib=libc++ extra.o")).kept,
            words("-lm -fopenmp -stdlib=libc++ extra.o"));
}

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle::project
