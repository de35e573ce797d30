// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a profile says of how functions are called from outside: once, or one at a time for one item.
#include <gtest/gtest.h>

#include "scan/pairs/rank_reasons.h"
#include "scan/scanned.h"

namespace heddle::scan {
namespace HEDDLE_TEST_FILE {

/// The warnings of a kernel module, as `x: write f / read g`, with `?` in front of an unlikely one.
Lines warnings(const std::string& text, const Assumptions& assumptions = {}) {
  const Program program = frontend::read_text(text);
  auto models = api::ApiModels::shipped();
  EXPECT_TRUE(models.has_value() && models->add_profile("kernel").has_value());
  ScanOptions how;
  how.assumptions = assumptions;
  Lines out;
  const RaceReport report = scan(program, *models, how).report;
  for (const ReportRace& race : report.races)
    out.push_back((race.verdict == RaceVerdict::Unlikely ? "? " : "") + race.variable + ": " + race.accesses[0].kind +
                  " " + race.accesses[0].function + " / " + race.accesses[1].kind + " " + race.accesses[1].function);
  std::ranges::sort(out);
  return out;
}

const std::string system_h = "int x, y; void __x64_sys_a(void) { y = x; }\n";

TEST(ScanOutsideContexts, AnInitialiserRunsOnce) {
  const Lines once{"? x: write init_module / read __x64_sys_a", "y: write __x64_sys_a / write __x64_sys_a"};
  EXPECT_EQ(warnings(system_h + "int init_module(void) { x = 1; return 0; }"), once);
  const Lines end{"? x: write cleanup_module / read __x64_sys_a", "y: write __x64_sys_a / write __x64_sys_a"};
  EXPECT_EQ(warnings(system_h + "void cleanup_module(void) { x = 1; }"), end);
  Assumptions sound;
  ASSERT_TRUE(sound.drop("described-system"));
  const Lines several = warnings(system_h + "int init_module(void) { x = 1; return 0; }", sound);
  EXPECT_EQ(std::ranges::count(several, "x: write init_module / write init_module"), 1);
  EXPECT_EQ(std::ranges::count(several, "x: write init_module / read __x64_sys_a"), 1);
}

TEST(ScanOutsideContexts, AThreadThatAnInitialiserStarts) {
  const Lines found = warnings(
      "int x, y; void *kthread_create_on_node(int (*)(void *), void *, int, const char *, ...);\n"
      "static int loop(void *d) { x = 1; y = 1; return 0; }\n"
      "int init_module(void) { y = 2; kthread_create_on_node(loop, 0, -1, \"l\"); x = 2; return 0; }\n"
      "void cleanup_module(void) { x = 3; }");
  EXPECT_EQ(found, (Lines{"? x: write init_module / write cleanup_module", "x: write init_module / write loop",
                          "x: write loop / write cleanup_module"}));
}

TEST(ScanOutsideContexts, AFunctionThatIsAlsoCalledOtherwise) {
  const Lines found = warnings(
      "int x; int init_module(void) { x = 1; return 0; } struct file_operations { int (*open)(void); };\n"
      "struct file_operations ops = { init_module };");
  EXPECT_EQ(found, (Lines{"x: write init_module / write init_module"}));
}

const std::string work_h =
    "struct work_struct { void (*func)(struct work_struct *); }; struct d { struct work_struct w; int n; }; int all;\n";

TEST(ScanOutsideContexts, AWorkItemRunsOnceAtATime) {
  const Lines found =
      warnings(work_h +
               "static void fn(struct work_struct *w) { struct d *d = (struct d *)w; d->n = 1; all = 2; }\n"
               "struct d one = { { fn } };");
  EXPECT_EQ(found, (Lines{"? d->n: write fn / write fn", "all: write fn / write fn"})) << "but several do";
}

TEST(ScanOutsideContexts, AFunctionOfSeveralKinds) {
  const Lines found =
      warnings(work_h +
               "static void fn(struct work_struct *w) { struct d *d = (struct d *)w; d->n = 1; }\n"
               "struct d one = { { fn } }; struct file_operations { void (*open)(struct work_struct *); };\n"
               "struct file_operations ops = { fn };");
  EXPECT_EQ(found, (Lines{"d->n: write fn / write fn"}));
}

const std::string semaphore_h =
    "struct semaphore { int lock; unsigned count; }; void down(struct semaphore *); void up(struct semaphore *); int "
    "x;\n"
    "static inline void sema_init(struct semaphore *p, int v) { p->count = v; }\n";
std::string user(const std::string& name) {
  return "void __x64_sys_a(void) { down(&" + name + "); x = 1; up(&" + name + "); }\n";
}

TEST(ScanKernelSemaphores, ThatStartAtOneAreLocks) {
  EXPECT_EQ(warnings(semaphore_h + "static struct semaphore s = { 0, 1 };" + user("s")), Lines{});
  EXPECT_EQ(
      warnings(semaphore_h + "static struct { int a; struct semaphore s[2]; } all = { 1, { { 0, 1 }, { 0, 1 } } };" +
               user("all.s[1]")),
      Lines{});
  EXPECT_EQ(warnings(semaphore_h + "static struct semaphore s;" + user("s") +
                     "int init_module(void) { sema_init(&s, 1); return 0; }"),
            Lines{});
}

TEST(ScanKernelSemaphores, ThatStartOtherwiseAreNone) {
  const Lines race{"x: write __x64_sys_a / write __x64_sys_a"};
  EXPECT_EQ(warnings(semaphore_h + "static struct semaphore s = { 0, 2 };" + user("s")), race);
  EXPECT_EQ(warnings(semaphore_h + "static struct semaphore s = { 1, 0 };" + user("s")), race);
  EXPECT_EQ(warnings(semaphore_h + "extern struct semaphore s;" + user("s")), race) << "nobody in sight begins it";
  EXPECT_EQ(warnings(semaphore_h + "static struct semaphore s;" + user("s") +
                     "int init_module(void) { sema_init(&s, 2); return 0; }"),
            race);
  EXPECT_EQ(warnings(semaphore_h + "static struct semaphore s = { 0, 1 };" + user("s") +
                     "int init_module(void) { sema_init(&s, 2); return 0; }"),
            race);
}

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle::scan
