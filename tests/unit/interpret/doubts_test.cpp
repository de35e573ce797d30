// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What makes a run depend on where objects lie, and what does not.
#include <gtest/gtest.h>

#include "machine_fixture.h"

namespace heddle::interpret {
namespace HEDDLE_TEST_FILE {

const std::string variables =
    "typedef __UINTPTR_TYPE__ number; typedef __INTPTR_TYPE__ with_sign;\n"
    "#if __SIZEOF_POINTER__ == 8\ntypedef unsigned half;\n#else\ntypedef unsigned short half;\n#endif\n"
    "int n, m, g; int array[4]; void *p, *q; struct { char c; void *at; } __attribute__((packed)) odd;\n";

/// The doubts of a main function, for pointers of 64 and of 32 bits: `none`, or what was said for both.
std::string doubts_of(const std::string& body) {
  std::string said[2];
  for (const bool is_small : {false, true}) {
    ProgramRun run(variables + "int main(void) { " + body + " return 0; }", {},
                   is_small ? frontend::ilp32 : frontend::Options{frontend::DataModel::Lp64});
    EXPECT_EQ(run.finish().kind, OutcomeKind::Exited) << run.machine.outcome().what;
    for (const char* doubt : run.machine.doubts())
      said[is_small ? 1 : 0] += (said[is_small ? 1 : 0].empty() ? "" : "; ") + std::string(doubt);
  }
  EXPECT_EQ(said[0], said[1]);
  return said[0].empty() ? "none" : said[0];
}

const char* const used = "an address is used as a number";

TEST(Doubts, AddressesThatAreExchangedTellNothing) {
  EXPECT_EQ(doubts_of("void *e = &n; p = &n; g = __atomic_compare_exchange_n(&p, &e, &m, 0, 5, 5);"), "none");
  EXPECT_EQ(doubts_of("q = __atomic_exchange_n(&p, &n, 5); g = q == 0;"), "none");
}

TEST(Doubts, NumbersThatAreAddressesCompareAsAddresses) {
  EXPECT_EQ(doubts_of("g = (number)&n == (number)&m;"), "none");
  EXPECT_EQ(doubts_of("number a = (number)&array[1], b = (number)&array[3]; g = a < b;"), "none");
  EXPECT_EQ(doubts_of("p = &n; g = (number)p == (number)12345678;"), used);
  EXPECT_EQ(doubts_of("number a = (number)&n, b = (number)&m; g = a < b;"),
            "addresses of different objects are compared by their order");
}

TEST(Doubts, MarksAreNoAddresses) {
  EXPECT_EQ(doubts_of("p = &n; g = (number)p > 1;"), "none");
  EXPECT_EQ(doubts_of("p = &n; g = p == (void *)-1;"), "none");
  EXPECT_EQ(doubts_of("p = &n; g = (with_sign)p > 1;"), used);
}

TEST(Doubts, PartsOfAnAddressAreNone) {
  EXPECT_EQ(doubts_of("p = &n; g = *(short *)&p == 0;"), used);
  EXPECT_EQ(doubts_of("p = &n; g = *(half *)&p == 0;"), used);  // as it is, where int is no larger
  EXPECT_EQ(doubts_of("p = &n; *(char *)&p = 0;"), "a part of an address is overwritten");
  EXPECT_EQ(doubts_of("odd.at = &n; *((char *)&odd + 3) = 0;"), "a part of an address is overwritten");
  EXPECT_EQ(doubts_of("odd.at = &n; odd.c = 1; g = odd.c == 1;"), "none");
}

TEST(Doubts, HandlesOfThreadsAreNoAddresses) {
  const std::string threads =
      "typedef unsigned long thread; int pthread_create(thread *, const void *, void *(*)(void *), void *);\n"
      "static void *run(void *a) { return a; }\n";
  for (const auto& [compared, says] : {std::pair{"a == b", used}, {"a == 0", "none"}}) {
    ProgramRun run(variables + threads +
                   "int main(void) { thread a, b; pthread_create(&a, 0, run, 0); pthread_create(&b, 0, run, 0); "
                   "g = " +
                   compared + "; return 0; }");
    run.finish();
    const auto doubts = run.machine.doubts();
    EXPECT_EQ(doubts.empty() ? "none" : std::string(doubts.front()), says) << compared;
  }
}

TEST(Doubts, NumbersBesideAnAddressAreNumbers) {
  const std::string node = "static struct { void *at; unsigned a, b; } s; s.at = &n; ";
  EXPECT_EQ(doubts_of(node + "for (unsigned i = 0; i < 8; i++) { s.a = 0x40000001u << i; s.b = s.a | 3; "
                             "g += (s.b & 0xff) == 3; }"),
            "none");
}

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle::interpret
