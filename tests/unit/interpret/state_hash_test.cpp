// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "interpret/state/state_hash.h"

#include <gtest/gtest.h>

#include "machine_fixture.h"

namespace heddle::interpret {
namespace HEDDLE_TEST_FILE {

const std::string prelude =
    "typedef unsigned long pthread_t; typedef union { char size[48]; long align; } pthread_mutex_t;\n"
    "int pthread_mutex_lock(pthread_mutex_t *); int __VERIFIER_nondet_int(void); void *malloc(unsigned long);\n"
    "int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);\n"
    "typedef int jmp_buf[64]; int setjmp(jmp_buf); int atexit(void (*)(void));\n"
    "pthread_mutex_t l; pthread_t h; int g; void *t(void *a) { return 0; } void f(void) {}\n";

/// The state of main in front of its lock, when its input was that.
ContentHash at_lock(const std::string& body, std::uint64_t input) {
  MachineOptions options;
  options.stop_alone = true;
  ProgramRun run(prelude + "int main(void) { pthread_create(&h, 0, t, 0); " + body + " return 0; }", options);
  run.chooser.answers = {input};
  for (int i = 0; i < 20 && run.machine.pending_kind(0) != OpKind::Lock; ++i) run.machine.step(0);
  EXPECT_EQ(run.machine.pending_kind(0), OpKind::Lock);
  return run.machine.state_hash().hash;
}

bool is_same(const std::string& body) { return at_lock(body, 1) == at_lock(body, 2); }

TEST(StateHash, RegistersCountAsLongAsTheyAreRead) {
  EXPECT_TRUE(is_same("g = __VERIFIER_nondet_int() > 0; pthread_mutex_lock(&l);"));
  EXPECT_FALSE(is_same("g = __VERIFIER_nondet_int() + pthread_mutex_lock(&l);"));
  EXPECT_TRUE(is_same("int v = __VERIFIER_nondet_int(); g = v > 0; pthread_mutex_lock(&l);"));
  EXPECT_FALSE(is_same("int v = __VERIFIER_nondet_int(); pthread_mutex_lock(&l); g = v;"));
}

TEST(StateHash, ARegisterOfALoopLivesAroundIt) {
  EXPECT_FALSE(
      is_same("int v = __VERIFIER_nondet_int(); for (int i = 0; i < 2; i++) { if (i) g += v; "
              "pthread_mutex_lock(&l); }"));
  EXPECT_FALSE(
      is_same("int v = __VERIFIER_nondet_int(), w = 0; for (int i = 0; i < 2; i++) { w = v; v = g; "
              "pthread_mutex_lock(&l); } g = w;"));
}

TEST(StateHash, OldRegistersCountWhereTheyMayComeBack) {
  EXPECT_FALSE(is_same("static jmp_buf b; setjmp(b); g = __VERIFIER_nondet_int() > 0; pthread_mutex_lock(&l);"));
}

TEST(StateHash, MemoryAndTheLibraryCount) {
  EXPECT_FALSE(is_same("g = __VERIFIER_nondet_int(); pthread_mutex_lock(&l);"));
  EXPECT_FALSE(is_same("int *p = malloc(4); *p = __VERIFIER_nondet_int(); pthread_mutex_lock(&l); g = *p;"));
  EXPECT_FALSE(is_same("if (__VERIFIER_nondet_int() == 1) atexit(f); pthread_mutex_lock(&l);"));
  EXPECT_FALSE(is_same("if (__VERIFIER_nondet_int() == 1) pthread_create(&h, 0, t, 0); pthread_mutex_lock(&l);"));
}

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle::interpret
