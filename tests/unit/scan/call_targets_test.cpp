// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whom a call through a pointer means: by what flows into the pointer, and by type only among functions whose pointers
// are anywhere.
#include <gtest/gtest.h>

#include "scan/scanned.h"

namespace heddle::scan {
namespace HEDDLE_TEST_FILE {

/// Whether a thread that runs `body` may write `x` in the function `f`, of which the text makes use.
bool reaches_f(const std::string& text, const std::string& body) {
  const Lines found = Scanned(threads_h + "int x;\nint f(int n) { x = n; return n; }\n" + text +
                              "void *worker(void *arg) { " + body + R"( return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, worker, 0); pthread_create(&t, 0, worker, 0); return 0; }
)")
                          .warnings();
  return std::ranges::any_of(found, [](const std::string& line) { return line.contains("write f / write f"); });
}

TEST(ScanCallTargets, FunctionOfATableIsNotBehindAnotherPointer) {
  const std::string table =
      "static const struct api { int (*sleep)(int); } api = { f }; const struct api *get(void) { return &api; }\n";
  EXPECT_FALSE(reaches_f(table + "struct config { int (*test)(int); } config;\n", "config.test(1);"));
  EXPECT_TRUE(reaches_f(table, "get()->sleep(1);"));
}

TEST(ScanCallTargets, FunctionThatLeftMayBeBehindAnyPointer) {
  const std::string config = "struct config { int (*test)(int); } config;\n";
  EXPECT_TRUE(
      reaches_f(config, "int (*copy)(int) = f; __builtin_memcpy(&config, &copy, sizeof copy); config.test(1);"));
  EXPECT_TRUE(
      reaches_f(config + "long number;\n", "number = (long)f; config.test = (int (*)(int))number; config.test(1);"));
}

TEST(ScanCallTargets, PointerFromNobodyKnowsWhereIsJudgedByItsType) {
  const std::string table = "static struct api { int (*sleep)(int); } api = { f }; static void *any = &api;\n";
  EXPECT_TRUE(reaches_f(table, "(*(int (**)(int))any)(1);"));
}

TEST(ScanCallTargets, FunctionsPassedByReferenceAreFollowed) {
  const std::string others =
      "int g1(int n) { return n; } int g2(int n) { return n; } int (*kept[2])(int) = {g1, g2};\n";
  EXPECT_TRUE(
      reaches_f(others + "int call(int (**fn)(int)) { return (*fn)(1); }\n", "int (*own)(int) = f; call(&own);"));
}

TEST(ScanCallTargets, ManyOfOneTypeAreReachedAllTheSame) {
  std::string many, table = "static void *all[] = {(void *)f";
  for (int i = 0; i < 20; ++i) {
    many += "int g" + std::to_string(i) + "(int n) { return n + " + std::to_string(i) + "; }\n";
    table += ", (void *)g" + std::to_string(i);
  }
  EXPECT_TRUE(reaches_f(many + table + "}; void *any(int i) { return all[i]; }\n", "((int (*)(int))any(3))(1);"));
}

TEST(ScanCallTargets, StructsWithoutANameAreToldApartByTheirMembers) {
  const std::string text = R"(
typedef struct { int (*test)(int); long rounds; } config_t;
typedef struct { int (*send)(int); long size; } io_t;
typedef struct { int (*trace)(int); long depth; } debug_t;
int other(int n) { return n; }
config_t config; io_t io = { f, 1 }; debug_t debug = { other, 1 };
config_t *a(void) { return &config; } io_t *b(void) { return &io; } debug_t *c(void) { return &debug; }
)";
  EXPECT_TRUE(reaches_f(text, "b()->send(1);"));
  EXPECT_FALSE(reaches_f(text, "a()->test(1);"));
  EXPECT_FALSE(reaches_f(text, "c()->trace(1);"));
}

TEST(ScanCallTargets, TableOfLibraryFunctionsThatAreCastIsKnown) {
  const std::string table = R"(
int close(int); int munmap(void *, unsigned long);
typedef void (*syscall_ptr)(void);
static struct syscall { const char *name; syscall_ptr current, original; } calls[] = {
  { "close", (syscall_ptr)close, 0 }, { "munmap", (syscall_ptr)munmap, 0 } };
#define os_close ((int (*)(int))calls[0].current)
void *hide(void *);
)";
  EXPECT_FALSE(reaches_f(table, "hide((void *)f); os_close(1);"));
}

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle::scan
