// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "threads/outside_entries.h"

#include "api/reader/effect_schema.h"
#include "frontend/scratch_source.h"

namespace heddle::threads {
namespace HEDDLE_TEST_FILE {

const std::string unused = "nobody in the program uses it";

/// `function context reason`, one a line: those that are used, or those that are not.
std::string entries_of(std::string_view text, bool are_unused = false) {
  const Program program = frontend::read_text(text);
  auto models = api::ApiModels::shipped();
  EXPECT_TRUE(models.has_value());
  EXPECT_TRUE(find_outside_entries(program, *models).empty()) << "entries come from profiles";
  EXPECT_TRUE(models->add_profile("kernel").has_value());
  std::vector<std::string> lines;
  for (const OutsideEntry& entry : find_outside_entries(program, *models))
    if ((entry.reason == unused) == are_unused)
      lines.push_back(std::string(program.functions[entry.function].name) + " " +
                      std::string(api::to_text(entry.context)) + " " + entry.reason + "\n");
  std::ranges::sort(lines);
  std::string out;
  for (const std::string& line : lines) out += line;
  return out;
}

TEST(OutsideEntries, OfCallsThatMakeThemKnown) {
  EXPECT_EQ(entries_of(
                "int request_threaded_irq(unsigned, void *, void *, unsigned long, const char *, void *);\n"
                "static inline int request_irq(unsigned n, void *h, unsigned long f, const char *s, void *d)\n"
                "{ return request_threaded_irq(n, h, 0, f, s, d); }\n"
                "void *kthread_create_on_node(int (*)(void *), void *, int, const char *, ...);\n"
                "void init_timer_key(void *, void *, unsigned, const char *, void *);\n"
                "int hard(int n, void *d) { return 0; } int half(int n, void *d) { return 0; }\n"
                "int loop(void *d) { return 0; } void late(void *t) {} void never(void) {}\n"
                "void probe(void *d) { request_irq(5, hard, 0, \"d\", d); kthread_create_on_node(loop, d, -1, \"d\");\n"
                "  request_threaded_irq(6, 0, half, 0, \"d\", d); init_timer_key(d, late, 0, 0, 0); }"),
            "half thread call of 'request_threaded_irq'\nhard hardirq call of 'request_irq'\n"
            "late timer call of 'init_timer_key'\nloop thread call of 'kthread_create_on_node'\n");
}

TEST(OutsideEntries, OfTablesAndStoresIntoMembers) {
  EXPECT_EQ(
      entries_of(
          "struct file_operations { void *owner; long (*read)(void *); long (*write)(void *); };\n"
          "struct work_struct { long data; void *next; void (*func)(struct work_struct *); };\n"
          "struct dev { int n; struct work_struct w; void (*mine)(void); };\n"
          "long r(void *f) { return 0; } long w(void *f) { return 0; } void own(void) {}\n"
          "void flush(struct work_struct *w) {} void direct(struct work_struct *w) {}\n"
          "const struct file_operations fops[2] = {{0, r, 0}, {0, 0, w}};\n"
          "void probe(struct dev *d, struct work_struct *w) { d->w.func = flush; w->func = direct; d->mine = own; }"),
      "direct work member of 'work_struct'\nflush work member of 'work_struct'\n"
      "r call member of 'file_operations'\nw call member of 'file_operations'\n");
}

TEST(OutsideEntries, OfMembersOfAnonymousUnions) {
  EXPECT_EQ(entries_of("struct tasklet_struct { void *next; union { void (*func)(long); void (*callback)(void *); }; "
                       "struct { void (*func)(long); } own; };\n"
                       "void bh(long d) {} void set(long d) {} void mine(long d) {}\n"
                       "struct tasklet_struct t = {.func = bh, .own = {.func = mine}};\n"
                       "void probe(struct tasklet_struct *s) { s->func = set; }"),
            "bh softirq member of 'tasklet_struct'\nset softirq member of 'tasklet_struct'\n");
}

TEST(OutsideEntries, OfStoresSeveralStepsInsideAStruct) {
  EXPECT_EQ(entries_of("struct work_struct { long data; void (*func)(struct work_struct *); };\n"
                       "struct port { int n; struct work_struct hangup; int refs; };\n"
                       "void release(struct work_struct *w) {}\n"
                       "void put(int *refs) {\n"
                       "  struct port *p = (struct port *)((char *)refs - __builtin_offsetof(struct port, refs));\n"
                       "  *(void (**)(struct work_struct *))((char *)&p->hangup + sizeof(long)) = release; }"),
            "release work member of 'work_struct'\n");
}

TEST(OutsideEntries, OfArraysThatAMemberPointsTo) {
  EXPECT_EQ(
      entries_of("typedef int (*iw_handler)(void *);\n"
                 "struct iw_handler_def { const iw_handler *standard; int n; }; struct other { const iw_handler "
                 "*standard; };\n"
                 "int get(void *d) { return 0; } int set(void *d) { return 0; } int not_it(void *d) { return 0; }\n"
                 "static const iw_handler table[] = {get, 0, set}, others[] = {not_it};\n"
                 "const struct iw_handler_def handlers = {table, 3}; const struct other o = {others};"),
      "get call member of 'iw_handler_def'\nset call member of 'iw_handler_def'\n");
}

TEST(OutsideEntries, OfFunctionsThatNobodyUses) {
  EXPECT_EQ(entries_of("void inner(void) {} static void local(void) {} void spin_lock(void *l) {}\n"
                       "void (*kept)(void) = inner; \n"
                       "void swap_duplicate(void) { local(); }",
                       true),
            "swap_duplicate call nobody in the program uses it\n");
  EXPECT_EQ(entries_of("int init_module(void) { return 0; }", true), "") << "another rule says how it is called";
}

TEST(OutsideEntries, OfNamesAndOfGlobalsThatKeepThemAlive) {
  EXPECT_EQ(entries_of("long __x64_sys_read(void *r) { return 0; } int init_module(void) { return 0; }\n"
                       "static int start(void) { return 0; }\n"
                       "void *__UNIQUE_ID___addressable_start42 = (void *)&start; void *other = (void *)&init_module;"),
            "__x64_sys_read call called '__x64_sys_*'\ninit_module init called 'init_module'\n"
            "start call address in '__UNIQUE_ID___addressable_*'\n");
}

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle::threads
