// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "depend/system/oil_reader.h"

#include <gtest/gtest.h>

#include <map>

namespace heddle::depend {
namespace HEDDLE_TEST_FILE {

using Files = std::map<std::string, std::string>;

Result<OilSystem> read(const std::string& text, const Files& files = {}) {
  return read_oil(text, "dir/app.oil", [&](const std::string& path) -> Result<std::string> {
    const auto file = files.find(path);
    if (file == files.end()) return error("no such file");
    return file->second;
  });
}

std::string refusal(const std::string& text, const Files& files = {}) {
  const auto system = read(text, files);
  return system ? "accepted" : system.error().message;
}

TEST(OilReader, TasksInterruptsAlarmsAndResources) {
  const auto system = read(
      "OIL_VERSION = \"2.5\" : \"first\";\n"
      "IMPLEMENTATION kernel { TASK { UINT32 [1..5] PRIORITY = NO_DEFAULT; }; };\n"
      "CPU ecu { // comment\n"
      "  OS os { STATUS = EXTENDED; };\n"
      "  TASK a { PRIORITY = 3; SCHEDULE = NON; AUTOSTART = TRUE { APPMODE = std; }; RESOURCE = bus; };\n"
      "  TASK b { PRIORITY = 0x10; SCHEDULE = FULL; } : \"described\";\n"
      "  /* TASK none { PRIORITY = x; }; */\n"
      "  ISR i { CATEGORY = 2; PRIORITY = 7; VECTOR = 12; ENTRY = \"handler\"; };\n"
      "  RESOURCE bus { RESOURCEPROPERTY = STANDARD; };\n"
      "  ALARM tick { COUNTER = c; ACTION = ACTIVATETASK { TASK = a; }; };\n"
      "  ALARM set { COUNTER = c; ACTION = SETEVENT { TASK = b; EVENT = e; }; };\n"
      "  ALARM back { ACTION = ALARMCALLBACK { ALARMCALLBACKNAME = \"cb\"; }; };\n"
      "};\n");
  ASSERT_TRUE(system.has_value()) << system.error().message;
  ASSERT_EQ(system->tasks.size(), 2U);
  const OilTask &a = system->tasks[0], &b = system->tasks[1];
  EXPECT_EQ(a.name, "a");
  EXPECT_EQ(a.place, "dir/app.oil:5");
  EXPECT_EQ(a.priority, 3);
  EXPECT_FALSE(a.preemptable);
  EXPECT_TRUE(a.autostart);
  EXPECT_TRUE(a.is_cyclic);
  EXPECT_EQ(a.resources, std::vector<std::string>{"bus"});
  EXPECT_EQ(b.priority, 16);
  EXPECT_TRUE(b.preemptable);
  EXPECT_FALSE(b.is_cyclic) << "an event does not start a task";
  ASSERT_EQ(system->isrs.size(), 1U);
  EXPECT_EQ(system->isrs[0].function, "handler");
  EXPECT_EQ(system->isrs[0].number, 12);
  EXPECT_EQ(system->isrs[0].priority, 7);
  ASSERT_EQ(system->callbacks.size(), 1U);
  EXPECT_EQ(system->callbacks[0].name, "cb");
  EXPECT_EQ(system->resources, std::vector<std::string>{"bus"});
}

TEST(OilReader, Includes) {
  const Files files = {{"dir/tasks.oil", "TASK a { PRIORITY = 1; };\n\nTASK b { PRIORITY = 2 };\n"},
                       {"dir/fine.oil", "TASK a { PRIORITY = 1; };"},
                       {"dir/loop.oil", "#include \"loop.oil\"\n"}};
  const auto system = read("#include <fine.oil>\nTASK c { PRIORITY = 3; };\n", files);
  ASSERT_TRUE(system.has_value()) << system.error().message;
  ASSERT_EQ(system->tasks.size(), 2U);
  EXPECT_EQ(system->tasks[1].place, "dir/app.oil:2") << "lines of the outer file go on";
  EXPECT_EQ(refusal("#include \"tasks.oil\"\n", files),
            "dir/tasks.oil:3: expected ';' behind 'PRIORITY' (of dir/tasks.oil:3), found '}'");
  EXPECT_EQ(refusal("\n#include \"none.oil\"\n"), "dir/app.oil:2: 'dir/none.oil' cannot be included: no such file");
  EXPECT_TRUE(refusal("#include \"loop.oil\"\n", files).ends_with("files include each other more than 16 deep"));
}

TEST(OilReader, MistakesOfForm) {
  EXPECT_EQ(refusal("CPU c {\n TASK a { PRIORITY = 1; };\n"), "dir/app.oil:1: this '{' has no '}'");
  EXPECT_EQ(refusal("TASK a { PRIORITY = ; };"), "dir/app.oil:1: expected the value of 'PRIORITY', found ';'");
  EXPECT_EQ(refusal("TASK { };"), "dir/app.oil:1: expected '=' or a name behind 'TASK', found '{'");
  EXPECT_EQ(refusal("{"), "dir/app.oil:1: expected an object such as TASK or an attribute, found '{'");
  EXPECT_EQ(refusal("TASK a"),
            "dir/app.oil:1: expected ';' behind 'TASK' (of dir/app.oil:1), found the end of the file");
  EXPECT_EQ(refusal("\n/* x"), "dir/app.oil:2: the comment that begins here has no end: write */");
  EXPECT_EQ(refusal("A = \"x\n\";"), "dir/app.oil:1: the text that begins here has no closing quote on its line");
  EXPECT_EQ(refusal("A = $;"), "dir/app.oil:1: '$' has no meaning in OIL here; delete it");
  EXPECT_EQ(refusal("#define X\n"), "dir/app.oil:1: only '#include \"FILE\"' may begin with '#' in OIL");
  std::string deep;
  for (int i = 0; i < 100000; ++i) deep += "A a {";
  EXPECT_EQ(refusal(deep), "dir/app.oil:1: braces are nested too deep");
}

TEST(OilReader, MistakesOfMeaning) {
  EXPECT_EQ(refusal("TASK a { PRIORITY = high; };"), "dir/app.oil:1: PRIORITY must be a number, found 'high'");
  EXPECT_EQ(refusal("TASK a { SCHEDULE = SOME; };"), "dir/app.oil:1: SCHEDULE must be FULL or NON, found 'SOME'");
  EXPECT_EQ(refusal("TASK a { };\nTASK a { };"), "dir/app.oil:2: TASK 'a' is there already, at dir/app.oil:1");
  EXPECT_EQ(refusal("ISR i { CATEGORY = 9; };"), "dir/app.oil:1: the CATEGORY of ISR 'i' must be 1, 2 or 3");
  EXPECT_EQ(refusal("TASK motor { };\nALARM a { ACTION = ACTIVATETASK { TASK = moter; }; };"),
            "dir/app.oil:2: there is no TASK 'moter'; did you mean 'motor'?");
  EXPECT_EQ(refusal("TASK a { RESOURCE = bus; };"),
            "dir/app.oil:1: there is no RESOURCE 'bus'; declare it: RESOURCE bus { … };");
  EXPECT_EQ(refusal("TASK a { RESOURCE = RES_SCHEDULER; PRIORITY = AUTO; };"), "accepted");
}

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle::depend
