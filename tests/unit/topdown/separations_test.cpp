// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One pair of programs per reason that keeps accesses apart: one that rests on the reason and on nothing else, and one
// in which the reason fails by a little and a warning has to be left.
#include "topdown/analysed_program.h"

namespace heddle::topdown {
namespace HEDDLE_TEST_FILE {

using Reasons = std::set<std::string>;

Reasons reasons(const std::string& variable, const std::string& text) {
  return AnalysedProgram(text).separations(variable);
}

TEST(Separations, BothAtomic) {
  EXPECT_EQ(reasons("a", "THREAD(f) { a = 1; return 0; } int main(void) { START(f); a = 2; return 0; }"),
            Reasons{"both-atomic"});
  EXPECT_EQ(reasons("x", "THREAD(f) { __atomic_store_n(&x, 1, 5); return 0; } int main(void) { START(f); return x; }")
                .count("nothing"),
            1U);
}

TEST(Separations, OtherBytes) {
  EXPECT_EQ(reasons("both", "THREAD(f) { both.first = 1; return 0; } int main(void) { START(f); both.second = 2; }"),
            Reasons{"other-bytes"});
  EXPECT_EQ(
      reasons("both", "THREAD(f) { *(long *)&both = 1; return 0; } int main(void) { START(f); both.second = 2; }"),
      Reasons{"nothing"});
}

TEST(Separations, OtherBytesByTheStep) {
  EXPECT_EQ(reasons("data",
                    "THREAD(f) { for (int i = 0; i < 32; i++) data[2 * i] = 1; return 0; }"
                    "int main(void) { START(f); for (int i = 0; i < 32; i++) data[2 * i + 1] = 2; return 0; }"),
            Reasons{"other-bytes"});
  EXPECT_EQ(reasons("data",
                    "THREAD(f) { for (int i = 0; i < 32; i++) data[2 * i] = 1; return 0; }"
                    "int main(void) { START(f); for (int i = 0; i < 20; i++) data[3 * i] = 2; return 0; }"),
            Reasons{"nothing"});
}

TEST(Separations, Phases) {
  EXPECT_EQ(reasons("x",
                    "THREAD(f) { x = 1; return 0; } THREAD(g) { return 0; }"
                    "int main(void) { START(g); x = 2; START(f); return 0; }"),
            Reasons{"not-created-yet"});
  EXPECT_EQ(reasons("x",
                    "THREAD(f) { x = 1; return 0; } THREAD(g) { return 0; } int main(void) { START(g);"
                    "pthread_create(&one, 0, f, 0); pthread_join(one, 0); x = 2; return 0; }"),
            Reasons{"already-joined"});
}

TEST(Separations, CommonLock) {
  EXPECT_EQ(reasons("x",
                    "THREAD(f) { LOCK(m); x = 1; UNLOCK(m); return 0; }"
                    "int main(void) { START(f); LOCK(m); x = 2; UNLOCK(m); return 0; }"),
            Reasons{"common-lock"});
  EXPECT_EQ(reasons("x",
                    "THREAD(f) { LOCK(m); x = 1; UNLOCK(m); return 0; }"
                    "int main(void) { START(f); LOCK(n); x = 2; UNLOCK(n); return 0; }"),
            Reasons{"nothing"});
}

#define NODES "struct node { pthread_mutex_t lock; int value, other; } nodes[8]; "
TEST(Separations, ALockNextToTheData) {
  EXPECT_EQ(reasons("nodes", NODES
                    "struct node *any(void) { int k = ANY; __VERIFIER_assume(k >= 0 && k < 8); return &nodes[k]; }"
                    "THREAD(f) { struct node *q = any(); LOCK(q->lock); q->value = 1; UNLOCK(q->lock); return 0; }"
                    "int main(void) { START(f); struct node *q = any(); LOCK(q->lock); q->value = 2; return 0; }"),
            (Reasons{"both-atomic", "common-lock", "other-bytes"}));
  EXPECT_EQ(reasons("nodes", NODES
                    "struct node *any(void) { int k = ANY; __VERIFIER_assume(k >= 0 && k < 7); return &nodes[k]; }"
                    "THREAD(f) { struct node *q = any(); LOCK(q->lock); q->value = 1; UNLOCK(q->lock); return 0; }"
                    "int main(void) { START(f); struct node *q = any(); LOCK(q[1].lock); q->value = 2; return 0; }"),
            (Reasons{"both-atomic", "nothing", "other-bytes"}));
}

#define STRIPES "pthread_mutex_t stripe[8]; int each[8]; int wide[80]; "
#define PICK "int k = ANY; __VERIFIER_assume(k >= 0 && k < 8); "
TEST(Separations, ALockWithTheIndexOfTheData) {
  EXPECT_EQ(reasons("each", STRIPES "THREAD(f) { " PICK "LOCK(stripe[k]); each[k] = 1; UNLOCK(stripe[k]); return 0; }"
                                    "int main(void) { START(f); " PICK "LOCK(stripe[k]); each[k] = 2; return 0; }"),
            Reasons{"common-lock"});
  EXPECT_EQ(reasons("each", STRIPES "THREAD(f) { " PICK "LOCK(stripe[k]); each[k] = 1; UNLOCK(stripe[k]); return 0; }"
                                    "int main(void) { START(f); " PICK "LOCK(stripe[7 - k]); each[k] = 2; return 0; }"),
            Reasons{"nothing"});
  EXPECT_EQ(
      reasons("each", STRIPES
              "THREAD(f) { " PICK "LOCK(stripe[k]); *(long *)((char *)each + k) = 1; UNLOCK(stripe[k]); return 0; }"
              "int main(void) { START(f); " PICK "LOCK(stripe[k]); *(long *)((char *)each + k) = 2; return 0; }"),
      Reasons{"nothing"})
      << "neighbouring indices share bytes";
}

TEST(Separations, ALockBehindAPointerThatNobodyChanges) {
  EXPECT_EQ(reasons("x",
                    "pthread_mutex_t *lock; THREAD(f) { pthread_mutex_lock(lock); x = 1; return 0; }"
                    "int main(void) { lock = ANY ? &m : &n; START(f); pthread_mutex_lock(lock); x = 2; return 0; }"),
            Reasons{"common-lock"});
  EXPECT_EQ(reasons("x",
                    "pthread_mutex_t *lock; THREAD(f) { pthread_mutex_lock(lock); x = 1; return 0; }"
                    "THREAD(g) { lock = &n; return 0; }"
                    "int main(void) { lock = &m; START(f); START(g); pthread_mutex_lock(lock); x = 2; return 0; }"),
            Reasons{"nothing"});
}

#define HALF "int n_; int all[64]; "
TEST(Separations, ApartInMemory) {
  EXPECT_EQ(reasons("all", HALF "THREAD(f) { for (int i = 0; i < n_; i++) all[i] = 1; return 0; }"
                                "int main(void) { n_ = ANY; if (n_ < 1 || n_ > 32) return 0; START(f);"
                                "for (int i = n_; i < 64; i++) all[i] = 2; return 0; }"),
            Reasons{"apart-in-memory"});
  EXPECT_EQ(reasons("all", HALF "THREAD(f) { for (int i = 0; i <= n_; i++) all[i] = 1; return 0; }"
                                "int main(void) { n_ = ANY; if (n_ < 1 || n_ > 32) return 0; START(f);"
                                "for (int i = n_; i < 64; i++) all[i] = 2; return 0; }"),
            Reasons{"nothing"});
  EXPECT_EQ(reasons("all", HALF "THREAD(f) { for (int i = 0; i < n_; i++) *(long *)&all[i] = 1; return 0; }"
                                "int main(void) { n_ = ANY; if (n_ < 1 || n_ > 32) return 0; START(f);"
                                "for (int i = n_; i < 64; i++) all[i] = 2; return 0; }"),
            Reasons{"nothing"})
      << "the last access reaches four bytes further";
}

TEST(Separations, OwnChunk) {
  const auto program = [](const char* size) {
    return std::string("THREAD(f) { long k = (long)arg; for (int i = 0; i < ") + size +
           "; i++) data[8 * k + i] = 1; return 0; }"
           "int main(void) { for (long k = 0; k < 8; k++) START_WITH(f, (void *)k); return 0; }";
  };
  EXPECT_EQ(reasons("data", program("8")), Reasons{"own-chunk"});
  EXPECT_EQ(reasons("data", program("9")), Reasons{"nothing"});
}

TEST(Separations, ChunksThatReachIntoTheNext) {
  EXPECT_EQ(reasons("data",
                    "THREAD(f) { long k = (long)arg; for (int i = 0; i < 4; i++) data[8 * k + i] = 1;"
                    "for (int i = 6; i < 10; i++) data[8 * k + i] = 2; return 0; }"
                    "int main(void) { for (long k = 0; k < 7; k++) START_WITH(f, (void *)k); return 0; }")
                .count("nothing"),
            1U);
}

#define LOOP "int main(void) { for (int i = 0; i < 8; i++) START_WITH(f, &data[2 * i]); return 0; }"
TEST(Separations, OwnSlot) {
  EXPECT_EQ(reasons("data", "THREAD(f) { ((int *)arg)[0] = 1; ((int *)arg)[1] = 2; return 0; } " LOOP).count("nothing"),
            0U);
  EXPECT_EQ(reasons("data", "THREAD(f) { ((int *)arg)[0] = 1; ((int *)arg)[2] = 2; return 0; } " LOOP).count("nothing"),
            1U);
}

TEST(Separations, OwnObject) {
  const AnalysedProgram own(
      "THREAD(f) { *(int *)arg = 1; return 0; }"
      "int main(void) { for (int i = 0; i < 8; i++) START_WITH(f, malloc(4)); return 0; }");
  EXPECT_EQ(own.says(), "proved");
  const AnalysedProgram shared(
      "THREAD(f) { *(int *)arg = 1; return 0; }"
      "int main(void) { void *q = malloc(4); for (int i = 0; i < 8; i++) START_WITH(f, q); return 0; }");
  EXPECT_NE(shared.says(), "proved");
}

TEST(Separations, SlotOfTheNext) {
  const auto program = [](const char* place) {
    return std::string("THREAD(f) { *(int *)arg += 1; return 0; } int main(void) { for (int i = 1; i < 8; i++) {") +
           place + " = i; START_WITH(f, &data[i]); } return 0; }";
  };
  EXPECT_EQ(reasons("data", program("data[i]")).count("slot-of-next"), 1U);
  EXPECT_EQ(reasons("data", program("data[i]")).count("nothing"), 0U);
  EXPECT_EQ(reasons("data", program("data[i - 1]")).count("nothing"), 1U);
  EXPECT_EQ(reasons("data", program("*(long *)&data[i - 1]")).count("nothing"), 1U);
}

TEST(Separations, SlotsOfSeveralCreators) {
  EXPECT_EQ(reasons("data",
                    "THREAD(f) { *(int *)arg += 1; return 0; }"
                    "THREAD(g) { for (int i = 0; i < 8; i++) { data[i] = i; START_WITH(f, &data[i]); } return 0; }"
                    "int main(void) { START(g); START(g); for (int i = 0; i < 2; i++) START(g); return 0; }")
                .count("nothing"),
            1U);
}

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle::topdown
