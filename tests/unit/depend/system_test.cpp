// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "depend/system/system.h"

#include "depend/system/entry_listing.h"
#include "depend/system_of.h"

namespace heddle::depend {
namespace HEDDLE_TEST_FILE {

const std::string two = "int x, y; struct { int a; } s; void f(void) { x = 1; } void g(void) { x = 2; }\n";

struct Row {
  std::string f, g;     ///< what their tables say: kind, then more
  std::string system;   ///< [system]
  std::string why_not;  ///< f cannot interrupt g, because; empty: it can
  std::string why_not_back;
};

std::string more_of(const std::string& text) {
  const std::size_t blank = text.find(' ');
  if (blank == std::string::npos) return "";
  std::string more = text.substr(blank + 1);
  std::ranges::replace(more, ';', '\n');
  return more;
}

TEST(System, WhoCanInterruptWhom) {
  const std::string by_task = "a task does not interrupt an interrupt";
  const std::string unranked = "interrupts without a priority do not interrupt each other";
  const Row rows[] = {
      {"interrupt", "task", "", "", by_task},
      {"interrupt priority = 1", "task priority = 5", "", "priority 1 is lower than 5", ""},
      {"interrupt priority = 5", "task priority = 5", "", "same priority 5", "same priority 5"},
      {"interrupt priority = 1", "task priority = 5", "one_scale = false", "", by_task},
      {"interrupt priority = 1", "task priority = 5", "one_scale = true", "priority 1 is lower than 5", ""},
      {"interrupt", "task priority = 5", "one_scale = true", "", by_task},
      {"interrupt", "main", "", "", by_task},
      {"task priority = 2", "task priority = 1", "", "", "priority 1 is lower than 2"},
      {"task priority = 2", "cyclic priority = 1", "", "", "priority 1 is lower than 2"},
      {"task priority = 3", "task priority = 3", "", "same priority 3", "same priority 3"},
      {"task priority = 3", "task priority = 3", "equal_priority = \"preempts\"", "", ""},
      {"task priority = 3", "task priority = 3", "equal_priority = \"never\"", "same priority 3", "same priority 3"},
      {"task", "task", "", "", ""},
      {"task priority = 1", "task", "", "", ""},
      {"task", "main", "", "", "'g' has the lowest priority"},
      {"task priority = 1", "main priority = 2", "", "priority 1 is lower than 2", ""},
      {"interrupt", "interrupt", "", unranked, unranked},
      {"interrupt priority = 1", "interrupt", "", unranked, unranked},
      {"interrupt priority = 2", "interrupt priority = 1", "", "", "priority 1 is lower than 2"},
      {"interrupt priority = 2", "interrupt priority = 2", "", "same priority 2", "same priority 2"},
      {"interrupt", "interrupt preemptable = true", "", "", unranked},
      {"interrupt priority = 2", "interrupt priority = 1;preemptable = false", "", "'g' is not preemptable",
       "priority 1 is lower than 2"},
      {"interrupt", "task preemptable = false", "", "", by_task},
      {"task priority = 2", "task priority = 1;preemptable = false", "", "'g' is not preemptable",
       "priority 1 is lower than 2"},
      {"task above = \"g\"", "task", "", "", "'f' is above 'g'"},
      {"init", "interrupt", "", "'f' runs before all others", "'f' runs before all others"},
      {"task priority = 1", "task priority = 2", "cores = 2", "", ""},
      {"task", "interrupt", "cores = 2", "", ""},
      {"interrupt", "init", "cores = 2", "'g' runs before all others", "'g' runs before all others"},
  };
  for (const Row& row : rows) {
    const auto kind = [](const std::string& text) { return text.substr(0, text.find(' ')); };
    const TestSystem t(two, entry_table("f", kind(row.f), more_of(row.f)) +
                                entry_table("g", kind(row.g), more_of(row.g)) + "[system]\n" + row.system + "\n");
    const std::string what = row.f + " against " + row.g + " with " + row.system;
    EXPECT_EQ(t.why_not("f", "g"), row.why_not) << what;
    EXPECT_EQ(t.why_not("g", "f"), row.why_not_back) << what;
    EXPECT_EQ(t.interrupts("f", "g"), row.why_not.empty()) << what;
    EXPECT_EQ(t.interrupts("g", "f"), row.why_not_back.empty()) << what;
    EXPECT_FALSE(t.interrupts("f", "f")) << what;
  }
}

TEST(System, RealityRulesHoldOnSeveralCoresToo) {
  for (const char* cores : {"1", "2"}) {
    const TestSystem t(two, entry_table("f", "interrupt") + entry_table("g", "task") +
                                "[[exclusion]]\nentries = [\"g\", \"f\"]\nreason = \"speed = 0 against speed > 100\"\n"
                                "[system]\ncores = " +
                                cores);
    EXPECT_EQ(t.why_not("f", "g"), "reality rule: speed = 0 against speed > 100");
    EXPECT_EQ(t.why_not("g", "f"), "reality rule: speed = 0 against speed > 100");
  }
}

TEST(System, AboveIsTransitive) {
  const TestSystem t(two + "void h(void) {}", entry_table("f", "task", "above = \"g\"") +
                                                  entry_table("g", "task", "above = \"h\"") + entry_table("h", "task"));
  EXPECT_TRUE(t.interrupts("f", "h"));
  EXPECT_FALSE(t.interrupts("h", "f"));
}

TEST(System, WhatIsWrittenGoesBeforeWhatIsFound) {
  const std::string code =
      "int xTaskCreate(void (*)(void *), const char *, int, void *, int, void *);\n"
      "void t(void *p) {} void u(void *p) {}\n"
      "int main(void) { xTaskCreate(t, \"t\", 1, 0, 4, 0); xTaskCreate(u, \"u\", 1, 0, 5, 0); return 0; }\n";
  const TestSystem t(code, entry_table("t", "cyclic") + entry_table("u", "task", "priority = 9") +
                               entry_table("*", "task", "priority = 1"));
  EXPECT_EQ(t.system->entries()[t.entry("t")].kind, EntryKind::Cyclic);
  EXPECT_EQ(t.system->entries()[t.entry("t")].priority, 1) << "a pattern fills the gap of a name";
  EXPECT_EQ(t.system->entries()[t.entry("u")].priority, 9);
  const TestSystem gap(code, entry_table("t", "cyclic"));
  EXPECT_EQ(gap.system->entries()[gap.entry("t")].priority, 4) << "the code fills the gap of heddle.toml";
}

TEST(System, OilGoesBeforeTheCodeAndBehindHeddleToml) {
  const TestSystem t("void FuncA(void) {} void TaskMainB(void) {} void I(void) {} void C_function(void) {}",
                     entry_table("FuncA", "task", "priority = 8"), {},
                     "TASK A { PRIORITY = 1; SCHEDULE = NON; };\nTASK B { PRIORITY = 2; };\nISR I { PRIORITY = 3; };\n"
                     "TASK C { PRIORITY = 4; };\nALARM x { ACTION = ACTIVATETASK { TASK = C; }; };\nTASK Gone { };\n");
  EXPECT_EQ(t.listing(),
            "C_function cyclic p4: TASK 'C' at app.oil:4\n"
            "FuncA task p8: heddle.toml:1:1; TASK 'A' at app.oil:1\n"
            "I interrupt p3: ISR 'I' at app.oil:3\n"
            "TaskMainB task p2: TASK 'B' at app.oil:2; name 'TaskMainB'\n");
  EXPECT_FALSE(t.system->entries()[t.entry("FuncA")].preemptable);
  EXPECT_EQ(t.system->assumptions().back(), "app.oil:6: TASK 'Gone' has no function in this program and is left out");
}

TEST(System, VariablesOfInterest) {
  const TestSystem t(two + "void h(void) { static int count; count++; }",
                     "[system]\nredundant = [[\"x\", \"s.a\"]]\noutputs = \"y\"\nerror_flags = \"h.count\"\n");
  ASSERT_TRUE(t.system.has_value()) << t.message();
  ASSERT_EQ(t.system->redundant().size(), 1U);
  const std::vector<NamedVariable>& pair = t.system->redundant()[0];
  ASSERT_EQ(pair.size(), 2U);
  EXPECT_EQ(t.program.globals[pair[0].global].name, "x");
  EXPECT_EQ(t.program.globals[pair[1].global].name, "s");
  EXPECT_EQ(pair[1].path, ".a");
  EXPECT_EQ(pair[1].size, 4U);
  EXPECT_EQ(t.program.globals[t.system->outputs()[0].global].name, "y");
  EXPECT_EQ(t.program.globals[t.system->error_flags()[0].global].name, "h.count");
}

TEST(System, Mistakes) {
  const auto message = [](const std::string& toml) { return TestSystem(two + "void later(void);", toml).message(); };
  EXPECT_EQ(message(entry_table("ff", "task")),
            "heddle.toml:1:1: there is no function 'ff' for this entry; did you mean 'f'?");
  EXPECT_EQ(
      message(entry_table("controller", "task")),
      "heddle.toml:1:1: there is no function 'controller' for this entry; correct the name, or name the file that "
      "defines it too");
  EXPECT_EQ(message(entry_table("f", "task", "priority = 1") + entry_table("f", "task", "priority = 2")),
            "heddle.toml:5:1: 'f' has priority 2 here and 1 at heddle.toml:1:1; keep one of them");
  EXPECT_EQ(message(entry_table("f", "task") + entry_table("f", "interrupt")),
            "heddle.toml:5:1: 'f' has kind interrupt here and task at heddle.toml:1:1; keep one of them");
  EXPECT_EQ(message(entry_table("f", "task") + "[[exclusion]]\nentries = [\"f\", \"f\"]\nreason = \"r\"\n"),
            "heddle.toml:5:1: the exclusion names 'f' twice, and an entry does not exclude itself; name another one");
  EXPECT_EQ(message(entry_table("f", "task") + "[[exclusion]]\nentries = [\"f\", \"g\"]\nreason = \"r\"\n"),
            "heddle.toml:5:1: the exclusion names 'g', which is no entry; did you mean 'f'?");
  EXPECT_EQ(message(entry_table("f", "task", "above = \"h\"")),
            "heddle.toml:1:1: 'above' names 'h', which is no entry; did you mean 'f'?");
  EXPECT_EQ(message(entry_table("f", "task", "above = \"g\"") + entry_table("g", "task", "above = \"f\"")),
            "heddle.toml:1:1: the priorities form a cycle: 'f' above 'g' above 'f'; leave one of these 'above' out");
  EXPECT_EQ(
      message(entry_table("f", "task", "priority = 1\nabove = \"g\"") + entry_table("g", "task", "priority = 1")),
      "heddle.toml:1:1: 'f' is above 'g', but its priority 1 is not higher than 1; correct the priorities or leave "
      "'above' out");
  EXPECT_EQ(message("[system]\noutputs = [\"xx\"]\n"),
            "heddle.toml:2:12: 'outputs' names 'xx', and there is no such variable; did you mean 'x'?");
  EXPECT_EQ(message("[system]\noutputs = [\"s.b\"]\n"),
            "heddle.toml:2:12: 'outputs' names 's.b', and 's' has no such part: write members and elements as in "
            "'state.wheel[2].speed'");
  EXPECT_EQ(message("[system]\noutputs = [\"x[0]\"]\n"),
            "heddle.toml:2:12: 'outputs' names 'x[0]', and 'x' has no such part: write members and elements as in "
            "'state.wheel[2].speed'");
}

TEST(System, AFunctionWithoutABodyIsNoEntry) {
  const TestSystem t("void later(void); void f(void) { later(); }", entry_table("later", "task"));
  EXPECT_EQ(t.message(), "heddle.toml:1:1: the entry 'later' has no body here; name the file that defines it too");
}

TEST(System, SaysWhatItAssumes) {
  const TestSystem bare("int main(void) { return 0; }", "");
  EXPECT_EQ(bare.system->assumptions(),
            (std::vector<std::string>{
                "nothing runs beside 'main': no other task or interrupt was found; write [[entry]] tables "
                "(docs/depend.md)",
                "one core ('cores' in [system])",
                "entries of equal priority do not preempt each other ('equal_priority' in [system])",
                "all entries may run together: there are no reality rules ([[exclusion]])",
                "no variables hold the same information ('redundant' in [system])"}));
  const TestSystem t(two + "void i(void) {} void k(void) {} int main(void) { return 0; }",
                     entry_table("f", "task") + entry_table("g", "task", "priority = 4") +
                         entry_table("i", "interrupt") + entry_table("k", "interrupt", "priority = 3") +
                         "[system]\ncores = 1\nequal_priority = \"never\"\nredundant = [[\"x\", \"y\"]]\n"
                         "[[exclusion]]\nentries = [\"f\", \"g\"]\nreason = \"r\"\n"
                         "[[mask]]\ndisable = \"ff\"\nenable = \"g\"\n");
  EXPECT_EQ(t.system->assumptions(),
            (std::vector<std::string>{
                "tasks without a priority may preempt other tasks, and be preempted by them: 'f'",
                "'main' has a lower priority than all tasks",
                "interrupts without a priority neither interrupt others nor are interrupted: 'i'",
                "heddle.toml:24:1: the program has no function 'ff' that would mask; did you mean 'f'?"}));
}

TEST(System, FunctionsOfOneNameAreToldApart) {
  const frontend::ScratchFolder folder;
  const auto program = frontend::read_sources(
      {{folder.write("a.c", "int x; static void isr(void) { x = 1; } void (*const vectors[])(void) = {0, isr};"), {}},
       {folder.write("b.c", "int y; static void isr(void) { y = 1; } void (*const __Vectors[])(void) = {0, isr};"),
        {}}},
      {});
  ASSERT_TRUE(program.has_value()) << program.error().message;
  api::ApiModels models;
  ASSERT_TRUE(models.add_profile("firmware").has_value());
  ASSERT_TRUE(models.add_toml(entry_table("isr", "interrupt", "priority = 3"), "heddle.toml").has_value());
  const auto system = System::make(*program, models);
  ASSERT_TRUE(system.has_value()) << system.error().message;
  ASSERT_EQ(system->entries().size(), 2U);
  EXPECT_EQ(system->name(0), program->functions[system->entries()[0].function].name);
  EXPECT_NE(system->name(0), system->name(1));
  EXPECT_EQ(system->entries()[1].priority, 3) << "a rule is about all of the name";
}

TEST(System, Listing) {
  const TestSystem t(two,
                     entry_table("f", "interrupt", "number = 4") + entry_table("g", "task", "preemptable = false"));
  const std::string text = entries_text(t.program, *t.system);
  EXPECT_NE(text.find("f: interrupt, number 4\n"), std::string::npos) << text;
  EXPECT_NE(text.find("unit.c:1\n    found: heddle.toml:1:1\n"), std::string::npos) << text;
  EXPECT_NE(text.find("g: task, not preemptable\n"), std::string::npos) << text;
  EXPECT_NE(
      text.find("who can interrupt whom, on 1 core:\n  f interrupts g\n  g interrupts nobody\n    not f: a task does "
                "not interrupt an interrupt\n"),
      std::string::npos)
      << text;
  const std::string json = entries_json(t.program, *t.system);
  EXPECT_NE(
      json.find("{\"function\": \"f\", \"kind\": \"interrupt\", \"number\": 4, \"preemptable\": true, \"several\": "
                "false, \"place\": "),
      std::string::npos)
      << json;
  EXPECT_NE(json.find("\"found\": \"heddle.toml:1:1\", \"interrupts\": [1]}"), std::string::npos) << json;
}

TEST(System, MainThatStartsTheSchedulerIsOverBeforeTasksRun) {
  const std::string code =
      "void vTaskStartScheduler(void); void run(void) { vTaskStartScheduler(); }\nvoid task(void) {}\n"
      "void isr(void) {}\nint main(void) { %s for (;;) ; }\n";
  const std::string toml = entry_table("task", "task") + entry_table("isr", "interrupt");
  const auto with = [&](const std::string& start) {
    return TestSystem(std::string(code).replace(code.find("%s"), 2, start), toml);
  };
  const TestSystem started = with("run();");
  EXPECT_FALSE(started.interrupts("task", "main"));
  EXPECT_EQ(started.why_not("task", "main"), "'main' starts the scheduler; no task runs before");
  EXPECT_TRUE(started.interrupts("isr", "main"));
  EXPECT_TRUE(with("").interrupts("task", "main"));
}

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle::depend
