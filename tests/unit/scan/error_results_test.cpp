// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions that return a locked object, or a number that stands for an error in a pointer. Who asks for errors knows
// whether the lock is held; who does not, does not.
#include <gtest/gtest.h>

#include "scan/scanned.h"

namespace heddle::scan {
namespace HEDDLE_TEST_FILE {

/// `here()` is called somewhere behind `get()`, which takes c->m or returns -12.
std::string at(const std::string& body,
               const std::string& get = "if (!p) return ERR_PTR(-12); take(&p->m); return p;") {
  return Summarised(threads_h + R"(
struct c { pthread_mutex_t m; int x; struct c *next; } *list; int number; int rand(void); void here(void) { number++; }
void *ERR_PTR(long error) { return (void *)error; }
int IS_ERR(const void *p) { return (unsigned long)p >= -4095UL; }
struct c *get(struct c *p) { )" +
                    get +
                    R"( }
struct c *wrapped(struct c *p) { return get(p); }
void f(struct c *c) { struct c *p; )" +
                    body + " }")
      .at_call("f", "here");
}

TEST(ScanErrorResults, WhoAsksKnowsTheLock) {
  EXPECT_EQ(at("p = get(c); if (p && (unsigned long)p <= -4096UL) here();"), "({c->m},{})");
  EXPECT_EQ(at("p = get(c); if ((unsigned long)p > -4096UL) return; if (!p) return; here();"), "({c->m},{})");
  EXPECT_EQ(at("p = get(c); if (p && !((unsigned long)p >= -4095UL)) here();"), "({c->m},{})");
  EXPECT_EQ(at("p = get(c); if (p && (unsigned long)p < -4095UL) here();"), "({c->m},{})");
  EXPECT_EQ(at("p = wrapped(c); if (p && (unsigned long)p <= -4096UL) here();"), "({c->m},{})");
}

TEST(ScanErrorResults, FunctionsThatOnlyAsk) {
  EXPECT_EQ(at("p = get(c); if (p && !IS_ERR(p)) here();"), "({c->m},{})");
  EXPECT_EQ(at("p = get(c); if (IS_ERR(p) || !p) return; here();"), "({c->m},{})");
  EXPECT_EQ(at("p = get(c); if (p && !IS_ERR(c)) here();"), "({},{})") << "another pointer";
  EXPECT_EQ(at("p = get(c); if (p && IS_ERR(p)) here();"), "({},{})") << "it is an error";
}

TEST(ScanErrorResults, WhoDoesNotAskDoesNotKnow) {
  EXPECT_EQ(at("p = get(c); here();"), "({},{})");
  EXPECT_EQ(at("p = get(c); if (p) here();"), "({},{})") << "an error is not null";
  EXPECT_EQ(at("p = get(c); if (p && (unsigned long)p > -4096UL) here();"), "({},{})");
  EXPECT_EQ(at("p = get(c); if (p && (unsigned long)p <= -200UL) here();"), "({},{})") << "some errors are left";
  EXPECT_EQ(at("p = get(c); if (p && (unsigned long)p < -4096UL) here();"), "({},{})")
      << "nothing is known of one number that is none";
  EXPECT_EQ(at("p = get(c); give(&p->m); if (p && (unsigned long)p <= -4096UL) here();").find("({c"), std::string::npos)
      << "given back before it was asked";
}

TEST(ScanErrorResults, WhatIsNotLocked) {
  const std::string some = "if (!p) return ERR_PTR(-12); if (rand()) return p; take(&p->m); return p;";
  EXPECT_EQ(at("p = get(c); if (p && (unsigned long)p <= -4096UL) here();", some), "({},{})");
  const std::string far = "if (!p) return ERR_PTR(-5000); take(&p->m); return p;";
  EXPECT_EQ(at("p = get(c); if (p && (unsigned long)p <= -4096UL) here();", far), "({},{})")
      << "no number that stands for an error";
  const std::string null = "if (!p) return ERR_PTR(-12); if (rand()) return 0; take(&p->m); return p;";
  EXPECT_EQ(at("p = get(c); if ((unsigned long)p <= -4096UL) here();", null), "({},{})") << "it may be null";
  EXPECT_EQ(at("p = get(c); if ((unsigned long)p <= -4096UL && p) here();", null), "({c->m},{})");
}

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle::scan
