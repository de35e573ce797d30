// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "build/link_steps.h"

#include <gtest/gtest.h>

#include "host/shell_words.h"

namespace heddle::build {
namespace HEDDLE_TEST_FILE {

/// The steps of a build whose commands run in /p.
std::vector<LinkStep> steps_of(const std::vector<std::string>& commands) {
  std::vector<LinkStep> steps;
  for (const std::string& command : commands) add_link_step(steps, "/p", *host::split_shell_words(command));
  return steps;
}

/// `main.o (list.o)`: objects of the last program, members of archives in brackets.
std::string objects_in(const std::vector<LinkStep>& steps) {
  std::string out;
  for (const LinkedObject& object : objects_of(steps.back(), steps)) {
    const std::string name = object.path.starts_with("/p/") ? object.path.substr(3) : object.path;
    out += (out.empty() ? "" : " ") + (object.is_lazy ? "(" + name + ")" : name);
  }
  return out;
}

TEST(LinkSteps, FollowArchivesAndSharedLibraries) {
  EXPECT_EQ(objects_in(steps_of({"gcc -c a.c -o a.o", "gcc -o prog main.o sub/a.o -lm"})), "main.o sub/a.o");
  EXPECT_EQ(objects_in(steps_of({"ar rcs libu.a list.o map.o", "gcc main.o libu.a -o prog"})),
            "main.o (list.o) (map.o)");
  EXPECT_EQ(
      objects_in(steps_of({"gcc -shared -o d/libs.so s.o", "ar -qc d/liba.a x.o", "gcc main.o -L d -ls -la -o p"})),
      "main.o s.o (x.o)");
  EXPECT_EQ(objects_in(steps_of({"llvm-ar-19 rc a.a x.o", "ar rc b.a a.a y.o", "cc m.o b.a"})), "m.o (x.o) (y.o)");
  EXPECT_EQ(objects_in(steps_of({"ld -r -o both.o x.o y.o", "cc m.o both.o"})), "m.o x.o y.o");
}

TEST(LinkSteps, OfProgramsKeepTheirCommand) {
  const std::vector<LinkStep> steps = steps_of({"gcc -shared -o libs.so s.o", "gcc -O2 main.o -L. -ls -o prog"});
  EXPECT_TRUE(steps[0].arguments.empty());
  EXPECT_EQ(steps[1].directory, "/p");
  EXPECT_EQ(steps[1].arguments, (std::vector<std::string>{"gcc", "-O2", "main.o", "-L.", "-ls", "-o", "prog"}));
}

TEST(LinkSteps, TakeWholeArchivesWhereTheyAreAskedTo) {
  const std::vector<std::string> archive = {"ar rc a.a x.o", "ar rc b.a y.o"};
  const auto with = [&](const std::string& link) {
    std::vector<std::string> commands = archive;
    commands.push_back(link);
    return objects_in(steps_of(commands));
  };
  EXPECT_EQ(with("cc m.o -Wl,--whole-archive a.a -Wl,--no-whole-archive b.a"), "m.o x.o (y.o)");
  EXPECT_EQ(with("cc m.o -Wl,--whole-archive,a.a,--no-whole-archive b.a"), "m.o x.o (y.o)");
}

TEST(LinkSteps, KeepTheLastOfEachOutputAndAddToArchives) {
  EXPECT_EQ(objects_in(steps_of({"cc -o p old.o", "cc -o p new.o"})), "new.o");
  EXPECT_EQ(objects_in(steps_of({"ar rc a.a x.o", "ar rc a.a y.o", "ar t a.a", "cc m.o a.a"})), "m.o (x.o) (y.o)");
  EXPECT_TRUE(steps_of({"cc -o conftest conftest.c", "cc -c a.c", "cc --version"}).empty());
  std::vector<LinkStep> later = steps_of({"cc -o p new.o"});
  keep_earlier(later, steps_of({"cc -o p old.o", "cc -o q q.o"}));
  ASSERT_EQ(later.size(), 2);
  EXPECT_EQ(later[0].inputs, std::vector<std::string>{"/p/new.o"});
  EXPECT_EQ(later[1].output, "/p/q");
}

TEST(LinkSteps, NameObjectsAsCommandsDo) {
  const auto object = [](const std::string& command, const std::string& output = "") {
    return object_of({"/p", "s/a.c", output, *host::split_shell_words(command)});
  };
  EXPECT_EQ(object("gcc -c s/a.c"), "/p/a.o");
  EXPECT_EQ(object("gcc -c s/a.c -o o/x.o", "o/x.o"), "/p/o/x.o");
  EXPECT_EQ(object("gcc s/a.c -o prog"), "/p/prog(/p/s/a.c)");
  EXPECT_EQ(objects_in(steps_of({"gcc s/a.c b.o -o prog"})), "prog(/p/s/a.c) b.o");
}

TEST(LinkSteps, KnowArchivers) {
  for (const char* name : {"ar", "/usr/bin/gcc-ar", "llvm-ar-19", "aarch64-linux-gnu-ar"})
    EXPECT_TRUE(is_archiver(name)) << name;
  for (const char* name : {"bar", "gcc", "ar-x", "-1", ""}) EXPECT_FALSE(is_archiver(name)) << name;
}

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle::build
