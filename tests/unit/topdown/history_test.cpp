// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Acquisition histories of the top-down driver. Figure 2 of CAV07, with its exact sets.
#include <map>

#include "topdown/analysed_program.h"
#include "topdown/cases/racing_pairs.h"

namespace heddle::topdown {
namespace HEDDLE_TEST_FILE {

/// The histories at the accesses to `x`, in the order of the lines: `m:{n}` of the locks held.
std::vector<std::string> histories(const AnalysedProgram& p) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::string> by_line;
  const TopDownResult& result = p.result();
  for (const GuardedAccess& access : result.accesses) {
    if (result.universe->describe(access.target.object) != "x") continue;
    std::map<std::string, std::set<std::string>> rows;
    for (const HeldLock& held : access.locks) rows[result.universe->describe(held.object)];
    for (const TakenSince& entry : access.history)
      rows[result.universe->describe(entry.held.object)].insert(result.universe->describe(entry.taken.object) +
                                                                (entry.taken.shared ? " (shared)" : ""));
    std::string text;
    for (const auto& [held, since] : rows) {
      text += (text.empty() ? "" : " ") + held + ":{";
      for (const std::string& taken : since) text += (text.back() == '{' ? "" : ",") + taken;
      text += "}";
    }
    const Function& f = p.program().functions[result.threads->contexts[access.context].function];
    const Location& at = p.program().locations[f.instructions[access.instruction].location];
    by_line[{at.line, at.column}] = text;
  }
  std::vector<std::string> out;
  for (const auto& [line, text] : by_line) out.push_back(text);
  return out;
}

using Histories = std::vector<std::string>;

TEST(History, FigureTwo) {
  const AnalysedProgram p(
      "pthread_mutex_t lk1, lk2; int fa, fb, fy;\n"
      "THREAD(first) { fa = 1; LOCK(lk1); LOCK(lk2); fy = 1; UNLOCK(lk2);\n"
      "  x = 3;\n"  // 6a
      "  UNLOCK(lk1); return 0; }\n"
      "THREAD(second) { LOCK(lk2);\n"
      "  x = 0;\n"  // 2b
      "  LOCK(lk1); fb = 2; UNLOCK(lk1);\n"
      "  x = 2;\n"  // 6b
      "  UNLOCK(lk2); LOCK(lk2);\n"
      "  x = 1;\n"  // 9b
      "  UNLOCK(lk2); return 0; }\n"
      "int main(void) { START(first); START(second); return 0; }");
  EXPECT_EQ(histories(p), (Histories{"lk1:{lk2}", "lk2:{}", "lk2:{lk1}", "lk2:{}"}));
  EXPECT_EQ(find_racing_pairs(p.result()).listed.size(), 3U);  // as locksets have it
}

Histories of_thread(const std::string& body) {
  return histories(AnalysedProgram("pthread_mutex_t k;\nTHREAD(f) {" + body +
                                   " return 0; }\nint main(void) { START(f); return 0; }"));
}

TEST(History, OfOneThread) {
  EXPECT_EQ(of_thread("LOCK(m); LOCK(n); UNLOCK(n); x = 1;"), Histories{"m:{n}"});
  EXPECT_EQ(of_thread("LOCK(m); LOCK(n); x = 1;"), (Histories{"m:{n} n:{}"}));
  EXPECT_EQ(of_thread("LOCK(m); LOCK(n); UNLOCK(m); LOCK(k); x = 1;"), (Histories{"k:{} n:{k}"}));
  EXPECT_EQ(of_thread("LOCK(m); LOCK(n); UNLOCK(n); UNLOCK(m); LOCK(m); x = 1;"), Histories{"m:{}"});
  EXPECT_EQ(of_thread("LOCK(m); LOCK(n); pthread_cond_wait(&c, &n); x = 1;"), (Histories{"m:{n} n:{}"}));
  EXPECT_EQ(of_thread("LOCK(m); LOCK(n); pthread_cond_wait(&c, &m); x = 1;"), (Histories{"m:{} n:{m}"}));
}

TEST(History, WherePathsMeet) {
  EXPECT_EQ(of_thread("LOCK(m); if (x) { LOCK(n); UNLOCK(n); } x = 1;"), (Histories{"m:{}", "m:{}"}));
  EXPECT_EQ(
      of_thread("LOCK(m); if (x) { LOCK(n); UNLOCK(n); } else { LOCK(k); LOCK(n); UNLOCK(n); UNLOCK(k); } x = 1;"),
      (Histories{"m:{}", "m:{n}"}));
}

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle::topdown
