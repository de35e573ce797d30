// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One thread says that it is done, another goes on only when it was told: the pair is unlikely. Where that is not so it
// stays likely.
#include <gtest/gtest.h>

#include "scan/scanned.h"

namespace heddle::scan {
namespace HEDDLE_TEST_FILE {

const std::string signals_h = threads_h + R"(
typedef struct { long word[4]; } sem_t; int sem_init(sem_t *, int, unsigned); int sem_wait(sem_t *); int sem_post(sem_t *);
int sem_trywait(sem_t *); _Atomic int ready; int flag, data, number; pthread_mutex_t m, n; sem_t s; int rand(void);
#define load(x, order) __c11_atomic_load(&x, order)
#define store(x, v, order) __c11_atomic_store(&x, v, order)
#define relaxed 0
#define acquire 2
#define release 3
#define seq_cst 5
)";

/// Whether `data` has a likely warning, where one thread does the first and another the second.
bool is_likely(const std::string& teller, const std::string& hearer, const std::string& more = "",
               const std::string& start = "pthread_create(&t, 0, tell, 0); pthread_create(&u, 0, hear, 0);") {
  const Scanned all(signals_h + more + "void *tell(void *a) { " + teller + " return 0; }\nvoid *hear(void *a) { " +
                    hearer + " return 0; }\nint main(void) { pthread_t t, u; sem_init(&s, 0, 0); " + start +
                    " return 0; }");
  const auto is_about = [](const std::string& w) { return w.contains("data: ") || w.contains("*p: "); };
  const Lines warnings = all.warnings();
  EXPECT_TRUE(std::ranges::any_of(warnings, is_about));
  return std::ranges::any_of(warnings, [&](const std::string& w) { return is_about(w) && !w.starts_with("?"); });
}

const std::string tell = "data = 1; store(ready, 1, release);";
const std::string hear = "while (!load(ready, acquire)) ; data++;";

TEST(ScanSignals, AnAtomicFlag) {
  EXPECT_FALSE(is_likely(tell, hear));
  EXPECT_FALSE(is_likely("data = 1; store(ready, 2, seq_cst);", "if (load(ready, seq_cst) == 2) data++;"));
  EXPECT_FALSE(is_likely(tell, "if (load(ready, acquire) > 0) { if (rand()) data++; }"));
  EXPECT_FALSE(is_likely(tell, "int r = 0; while (!r) r = load(ready, acquire); data++;"));
  EXPECT_FALSE(is_likely("store(ready, 0, release); data = 1; store(ready, 1, release);", hear)) << "set back first";
}

TEST(ScanSignals, ThatIsNotOrdered) {
  EXPECT_TRUE(is_likely("data = 1; store(ready, 1, relaxed);", hear));
  EXPECT_TRUE(is_likely(tell, "while (!load(ready, relaxed)) ; data++;"));
  EXPECT_TRUE(is_likely("data = 1; flag = 1;", "while (!flag) ; data++;")) << "not atomic";
}

TEST(ScanSignals, AccessesOnTheWrongSide) {
  EXPECT_TRUE(is_likely("store(ready, 1, release); data = 1;", hear));
  EXPECT_TRUE(is_likely("data = 1; store(ready, 1, release); data = 2;", hear));
  EXPECT_TRUE(is_likely("for (int i = 0; i < 2; i++) { data = 1; store(ready, 1, release); }", hear)) << "once more";
  EXPECT_TRUE(is_likely(tell, "if (!load(ready, acquire)) data++;"));
  EXPECT_TRUE(is_likely(tell, "data++; while (!load(ready, acquire)) ;"));
  EXPECT_TRUE(is_likely(tell, "if (rand() || load(ready, acquire)) data++;")) << "another way leads there";
  EXPECT_TRUE(is_likely(tell, "if (load(ready, acquire) < 5) data++;")) << "so it is from the beginning";
  EXPECT_TRUE(is_likely("data = 1; store(ready, 1, release);", hear, "",
                        "store(ready, 1, release); pthread_create(&t, 0, "
                        "tell, 0); pthread_create(&u, 0, hear, 0);"))
      << "somebody else tells";
}

TEST(ScanSignals, MainTells) {
  const std::string start = "pthread_create(&u, 0, hear, 0); ";
  EXPECT_FALSE(is_likely("", hear, "", start + tell));
  EXPECT_TRUE(is_likely("", hear, "", start + "store(ready, 1, release); data = 1;"));
  EXPECT_TRUE(is_likely("", hear, "", start + "for (int i = 0; i < 2; i++) { data = 1; store(ready, 1, release); }"));
  const std::string waits = "take(&m); int r = flag; give(&m); if (r) data++;";
  EXPECT_FALSE(is_likely("", waits, "", "flag = 0; " + start + "data = 1; take(&m); flag = 1; give(&m);"));
  EXPECT_TRUE(is_likely("", waits, "", start + "data = 1; flag = 1;"));
}

TEST(ScanSignals, SeveralThatTell) {
  const std::string alone = "take(&n); data = 1; give(&n); store(ready, 1, release);";
  EXPECT_FALSE(is_likely(alone, hear));
  EXPECT_TRUE(is_likely(alone, hear, "",
                        "pthread_create(&t, 0, tell, 0); pthread_create(&t, 0, tell, 0);"
                        "pthread_create(&u, 0, hear, 0);"));
}

TEST(ScanSignals, AFlagUnderALock) {
  const std::string under = "data = 1; take(&m); flag = 1; give(&m);";
  EXPECT_FALSE(is_likely(under, "take(&m); int r = flag; give(&m); if (r) data++;"));
  EXPECT_TRUE(is_likely(under, "take(&n); int r = flag; give(&n); if (r) data++;")) << "another lock";
  EXPECT_TRUE(is_likely(under, "int r = flag; if (r) data++;"));
  EXPECT_TRUE(is_likely("data = 1; flag = 1; take(&m); give(&m);", "take(&m); int r = flag; give(&m); if (r) data++;"));
}

TEST(ScanSignals, AVariableThatOthersMayReach) {
  EXPECT_TRUE(is_likely(tell, hear, "_Atomic int *known = &ready;"));
  EXPECT_TRUE(is_likely(tell, hear, "void sink(void *); void give_away(void) { sink((void *)&ready); }"));
}

TEST(ScanSignals, ASemaphore) {
  EXPECT_FALSE(is_likely("data = 1; sem_post(&s);", "sem_wait(&s); data++;"));
  EXPECT_TRUE(is_likely("sem_post(&s); data = 1;", "sem_wait(&s); data++;"));
  EXPECT_TRUE(is_likely("data = 1; sem_post(&s);", "data++; sem_wait(&s);"));
  EXPECT_TRUE(is_likely("data = 1; sem_post(&s);", "if (rand()) sem_wait(&s); data++;"));
  EXPECT_TRUE(is_likely("data = 1; sem_post(&s);", "sem_trywait(&s); data++;"));
  EXPECT_TRUE(is_likely("data = 1; sem_post(&s);", "sem_wait(&s); data++;", "void more(void) { sem_init(&s, 0, 1); }"));
  EXPECT_TRUE(is_likely("data = 1; sem_post(&s);", "sem_wait(&s); data++; sem_post(&s);")) << "who else posts";
}

TEST(ScanSignals, InFunctionsOnTheWay) {
  const std::string helpers = "static void set(int *p) { *p = 1; } static void use(int *p) { *p += 1; }";
  EXPECT_FALSE(
      is_likely("set(&data); store(ready, 1, release);", "while (!load(ready, acquire)) ; use(&data);", helpers));
  EXPECT_TRUE(
      is_likely("store(ready, 1, release); set(&data);", "while (!load(ready, acquire)) ; use(&data);", helpers));
}

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle::scan
