// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Streams: stderr is none that somebody opened.
#include <gtest/gtest.h>

#include "base/contains.h"
#include "scan/pairs/rank_reasons.h"
#include "scan/scanned.h"

namespace heddle::scan {
namespace {

/// Whether the warnings of a thread that prints to `printed` and a main that closes `closed` all have the doubt.
bool are_others(const std::string& printed, const std::string& closed, const std::string& globals = "") {
  const Scanned s(threads_h + R"(
typedef struct file { int flags; char more[200]; } FILE; extern FILE *stderr, *stdin;
FILE *fopen(const char *, const char *); int fclose(FILE *); int fprintf(FILE *, const char *, ...);
)" + globals + R"(
static void end(FILE *f) { fclose(f); }
void *worker(void *arg) { FILE *given = arg; fprintf()" +
                  printed + R"(, "x"); return 0; }
int main(int argc, char **argv) { FILE *mine = fopen("a", "r"); pthread_t t; pthread_create(&t, 0, worker, mine); end()" +
                  closed + "); return 0; }\n");
  const auto& races = s.report().races;
  EXPECT_FALSE(races.empty());
  return std::ranges::all_of(
      races, [](const ReportRace& race) { return contains(race.reasons, reason_of(Doubt::OtherObject)); });
}

TEST(ScanLibraryObjects, StandardStreams) {
  EXPECT_TRUE(are_others("stderr", "stdin"));
  EXPECT_TRUE(are_others("stderr", "argc > 1 ? mine : stdin"));
  EXPECT_FALSE(are_others("stderr", "stderr"));
  EXPECT_FALSE(are_others("stderr", "argc > 1 ? mine : stderr"));
}

TEST(ScanLibraryObjects, OthersMayBeOne) {
  EXPECT_FALSE(are_others("given", "mine")) << "main opened it";
  EXPECT_FALSE(are_others("kept", "kept = mine", "FILE *kept;")) << "the program's own variable may lead to either";
  EXPECT_FALSE(are_others("stderr", "stdin", "void swap(void) { stderr = stdin; }")) << "the program changes it";
  EXPECT_FALSE(are_others("stderr", "stdin", "FILE **where(void) { return &stderr; }")) << "and may here";
}

}  // namespace
}  // namespace heddle::scan
