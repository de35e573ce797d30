// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "topdown/analysed_program.h"

#include "api/library_models.h"
#include "api/models/declared_locks.h"
#include "frontend/scratch_source.h"
#include "topdown/cases/find_cases.h"

namespace heddle::topdown {
namespace {

constexpr std::string_view own_models = R"(
[[function]]
name = "lib_write"
effects = [{ write = 0, length = 4 }]
[[function]]
name = "lib_fill"
effects = [{ write = 0, length = "arg 1" }]
[[function]]
name = "lib_each"
effects = [{ write_variadic = 1 }]
[[function]]
name = "lib_list"
effects = [{ write_variadic = 0, indirect = true }]
[[function]]
name = "lib_deep"
effects = [{ read_reachable = 0 }]
[[function]]
name = "lib_count"
effects = [{ hidden_write = "count" }]
[[function]]
name = "lib_counter"
effects = [{ hidden_write = "count" }, { returns_hidden = "count" }]
[[function]]
name = "lib_swap"
effects = [{ atomic_update = 0, length = 8, value = 1, op = "exchange" }]
[[function]]
name = "lib_move"
effects = [{ copy = 0, from = 1, length = 8 }]
[[function]]
name = "lib_static"
effects = [{ returns_hidden = "buffer" }]
[[function]]
name = "lib_own"
effects = [{ returns_hidden = "own", per_thread = true }]
[[function]]
name = "lib_apply"
effects = [{ invoke = 0, parameter = 1 }]
[[function]]
name = "lib_hook"
effects = [{ invoke_global = "hook" }]
[[function]]
name = "lib_at_thread_exit"
effects = [{ at_exit = 0, parameter = 1, per_thread = true }]
[[function]]
name = "lib_named_lock"
effects = [{ acquire_named = "big" }]
[[function]]
name = "lib_begin_once"
effects = [{ once_begin = 0, success = "nonzero" }]
[[function]]
name = "lib_end_once"
effects = [{ once_end = 0 }]
[[function]]
name = "lib_make"
effects = [{ allocate = 8, into = 0, success = "zero" }]
)";

constexpr const char* prelude = R"(
#ifdef __cplusplus
extern "C" {
#define _Atomic volatile
#endif
typedef unsigned long pthread_t;
typedef union { char size[48]; long align; } pthread_mutex_t;
typedef union { char size[48]; long align; } pthread_cond_t;
typedef union { char size[56]; long align; } pthread_rwlock_t;
typedef union { char size[4]; int align; } pthread_mutexattr_t;
typedef union { char size[32]; long align; } sem_t;
typedef int pthread_once_t;
typedef unsigned pthread_key_t;
int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **);
int pthread_tryjoin_np(pthread_t, void **);
int pthread_detach(pthread_t);
pthread_t pthread_self(void);
int pthread_attr_init(void *);
int pthread_attr_setdetachstate(void *, int);
void pthread_exit(void *) __attribute__((noreturn));
int pthread_mutex_init(pthread_mutex_t *, const pthread_mutexattr_t *);
int pthread_mutex_lock(pthread_mutex_t *);
int pthread_mutex_trylock(pthread_mutex_t *);
int pthread_mutex_unlock(pthread_mutex_t *);
int pthread_mutexattr_init(pthread_mutexattr_t *);
int pthread_mutexattr_settype(pthread_mutexattr_t *, int);
int pthread_rwlock_rdlock(pthread_rwlock_t *);
int pthread_rwlock_wrlock(pthread_rwlock_t *);
int pthread_rwlock_unlock(pthread_rwlock_t *);
int pthread_cond_wait(pthread_cond_t *, pthread_mutex_t *);
int pthread_cond_signal(pthread_cond_t *);
int pthread_once(pthread_once_t *, void (*)(void));
int pthread_key_create(pthread_key_t *, void (*)(void *));
void *pthread_getspecific(pthread_key_t);
int pthread_setspecific(pthread_key_t, const void *);
int sem_init(sem_t *, int, unsigned);
int sem_wait(sem_t *);
int sem_trywait(sem_t *);
int sem_post(sem_t *);
int atexit(void (*)(void));
void exit(int) __attribute__((noreturn));
void abort(void) __attribute__((noreturn));
void *malloc(__SIZE_TYPE__);
void *calloc(__SIZE_TYPE__, __SIZE_TYPE__);
void free(void *);
void *memcpy(void *, const void *, __SIZE_TYPE__);
void *memset(void *, int, __SIZE_TYPE__);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
void __VERIFIER_assume(int);
int __VERIFIER_nondet_int(void);
void lib_read(const void *); void lib_write(void *); void lib_fill(void *, long); void lib_each(int, ...);
void lib_list(__builtin_va_list); void lib_deep(void *); void lib_count(void); int *lib_counter(void); int *lib_load(void *);
void lib_store(void *, void *); int *lib_swap(void *, void *); void lib_move(void *, void *);
void lib_end_of(void *, void *); int *lib_same(int *); int *lib_within(int *); int *lib_below(void *);
int *lib_static(void); int *lib_own(void); void lib_apply(void (*)(int *), int *); void lib_hook(void);
void lib_handler(void (*)(int, int *), int *); void lib_mask(void); void lib_at_thread_exit(void (*)(int *), int *);
void lib_signal(void (*)(int)); void lib_map(void *, int, int); void lib_named_lock(void); int lib_begin_once(long *); void lib_end_once(long *);
int lib_make(int **); int *lib_grow(int *, long); void lib_unknown(void);
#define LOCK(m) pthread_mutex_lock(&m)
#define UNLOCK(m) pthread_mutex_unlock(&m)
#define ANY __VERIFIER_nondet_int()
#define THREAD(f) void *f(void *arg)
#define START(f) START_WITH(f, 0)
#define START_WITH(f, a) do { pthread_t t_; pthread_create(&t_, 0, f, a); } while (0)
int x, y, z, ready;
int *p;
int data[64];
struct { int first, second; } both;
_Atomic int a, b;
pthread_mutex_t m, n;
pthread_rwlock_t w;
pthread_cond_t c;
pthread_once_t o;
sem_t s;
pthread_t t[64], one, two;
void (*hook)(void);
#ifdef __cplusplus
}
#endif
#line 1
)";

}  // namespace

AnalysedProgram::AnalysedProgram(const std::string& text, const std::string& file, frontend::Options options,
                                 const TopDownOptions& limits)
    : program_(std::make_unique<Program>(frontend::read_text(prelude + text, file, options))) {
  models_ = std::make_unique<api::ApiModels>(api::models_with(own_models));
  models_->add_missing(api::declared_locks(*program_));
  const FunctionId main = program_->find_function("main");
  if (!main) throw std::runtime_error("the program does not compile");
  result_ = analyse_top_down(*program_, *models_, main, limits);
}

std::string AnalysedProgram::warnings() const {
  TopDownEvidence evidence(*program_, result_);
  std::set<std::string> names;
  for (const race::CaseFile& found : find_cases(*program_, result_).cases)
    names.insert(evidence.object_name(found.warning.first));
  std::string out;
  for (const std::string& name : names) out += (out.empty() ? "" : " ") + name;
  return out;
}

std::string AnalysedProgram::obstacles() const {
  std::string out;
  for (const race::Obstacle& found : find_cases(*program_, result_).obstacles) out += found.what + "\n";
  return out;
}

std::string AnalysedProgram::says() const {
  if (const std::string names = warnings(); !names.empty()) return names;
  const std::string all = obstacles();
  return all.empty() ? "proved" : all;
}

std::set<std::string> AnalysedProgram::separations(const std::string& variable) const {
  TopDownEvidence evidence(*program_, result_);
  std::set<std::string> out;
  for (const race::ConsideredPair& pair : evidence.considered([](const race::Access&) { return true; })) {
    if (evidence.object_name(pair.pair.first) != variable) continue;
    using Reason = race::SeparationReason;
    if (pair.separation &&
        (pair.separation->reason == Reason::BothRead || pair.separation->reason == Reason::SameThread))
      continue;
    out.insert(pair.separation ? std::string(to_text(pair.separation->reason)) : "nothing");
  }
  return out;
}

std::set<std::string> AnalysedProgram::locks(const std::string& variable) const {
  TopDownEvidence evidence(*program_, result_);
  std::set<std::string> out;
  for (const race::ConsideredPair& pair : evidence.considered([](const race::Access&) { return true; }))
    for (const race::Access& access : {pair.pair.first, pair.pair.second})
      if (evidence.object_name(access) == variable)
        for (const race::HeldLock& held : evidence.locks(access)) out.insert(to_text(held));
  return out;
}

void PrintTo(const ProgramCase& row, std::ostream* out) { *out << row.text; }

TopDownOptions as_of_large_programs() {
  TopDownOptions out;
  out.bounds.coarse = true;
  return out;
}

void check(const ProgramCase& row) {
  const AnalysedProgram program(row.text, row.file);
  const std::string said = program.says();
  const std::string wanted = row.says;
  const bool is_sentence = wanted.find(' ') != std::string::npos && wanted != program.warnings();
  EXPECT_TRUE(is_sentence ? said.find(wanted) != std::string::npos : said == wanted)
      << "wanted: " << wanted << "\nsaid:   " << said << "\nobstacles: " << program.obstacles() << row.text;
  if (wanted == "proved") return;
  const AnalysedProgram coarse(row.text, row.file, {}, as_of_large_programs());
  EXPECT_NE(coarse.says(), "proved") << "wanted: " << wanted << ", with the bounds at their lowest\n" << row.text;
}

}  // namespace heddle::topdown
