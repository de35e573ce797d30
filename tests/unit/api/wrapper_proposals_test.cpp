// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "api/propose/wrapper_proposals.h"

#include "api/reader/model_reader.h"
#include "frontend/scratch_source.h"

namespace heddle::api {
namespace HEDDLE_TEST_FILE {

std::string proposed(std::string_view text, const std::string& name = "unit.c") {
  const Program program = frontend::read_text(text, name);
  const auto models = ApiModels::shipped();
  EXPECT_TRUE(models.has_value());
  const std::vector<WrapperProposal> proposals = propose_wrappers(program, *models);
  std::string out;
  for (const WrapperProposal& p : proposals) {
    std::string toml = to_toml({p});
    out += toml.substr(toml.find("name = "));
  }
  const auto read = read_models(to_toml(proposals), "proposed.toml");
  EXPECT_TRUE(read.has_value()) << read.error().message;
  if (read) EXPECT_EQ(read->models.size(), proposals.size());
  return out;
}

constexpr const char* prelude =
    "#include <pthread.h>\n#include <stdlib.h>\n#include <stdio.h>\n"
    "struct q { int n; pthread_mutex_t m; }; struct q g;\n";

TEST(WrapperProposals, BodiesThatLockOnEveryPath) {
  const std::string text =
      proposed(std::string(prelude) +
               "static void die(int e) { fprintf(stderr, \"%d\", e); abort(); }\n"
               "void inner(pthread_mutex_t *m, const char *file) { if (pthread_mutex_lock(m)) die(1); }\n"
               "void q_lock(struct q *q) { inner(&q->m, __FILE__); q->n++; }\n"
               "void q_unlock(struct q *q) { pthread_mutex_unlock(&q->m); }\n"
               "int q_try(struct q *q) { return pthread_mutex_trylock(&q->m) == 0; }\n"
               "void big_lock(void) { pthread_mutex_lock(&g.m); }\n"
               "int main(void) { q_lock(&g); q_unlock(&g); q_lock(&g); q_unlock(&g); q_lock(&g);\n"
               "  big_lock(); return q_try(&g); }");
  EXPECT_EQ(text,
            "name = \"q_lock\"\neffects = [{ acquire = 0 }]\n"
            "name = \"q_unlock\"\neffects = [{ release = 0 }]\n"
            "name = \"big_lock\"\neffects = [{ acquire_named = \"g+8\" }]\n"
            "name = \"inner\"\neffects = [{ acquire = 0 }]\n"
            "name = \"q_try\"\neffects = [{ acquire = 0, blocking = false, success = \"nonzero\" }]\n");
}

TEST(WrapperProposals, NotOfBodiesThatLockOnSomePathsGiveBackOrAreNeverCalled) {
  EXPECT_EQ(proposed(std::string(prelude) +
                     "void maybe(struct q *q) { if (q->n) pthread_mutex_lock(&q->m); }\n"
                     "void both(struct q *q) { pthread_mutex_lock(&q->m); q->n++; pthread_mutex_unlock(&q->m); }\n"
                     "void two(struct q *q) { pthread_mutex_lock(&q->m); pthread_mutex_lock(&g.m); }\n"
                     "void unused(struct q *q) { pthread_mutex_lock(&q->m); }\n"
                     "void caller(struct q *q) { maybe(q); pthread_mutex_lock(&q->m); }\n"
                     "void drops(struct q *q) { pthread_mutex_trylock(&q->m); }\n"
                     "int main(void) { maybe(&g); both(&g); two(&g); caller(&g); drops(&g); return 0; }"),
            "");
}

TEST(WrapperProposals, UndefinedFunctionsThatAreCalledInPairs) {
  EXPECT_EQ(proposed("struct s { int n; void *l; }; void spin_lock_x(void *); void spin_unlock_x(void *);\n"
                     "int pool_trylock(int how, struct s *); void pool_unlock(int how, struct s *);\n"
                     "void lonely_lock(void *); void clock(void *); void unclock(void *); void block(struct s*); void "
                     "unblock(struct s*);\n"
                     "void f(struct s *s) { spin_lock_x(s->l); s->n++; spin_unlock_x(s->l); lonely_lock(s); }\n"
                     "void g(struct s *s) { if (pool_trylock(1, s)) pool_unlock(1, s); spin_lock_x(s); }\n"
                     "int main(void) { struct s s = {0}; f(&s); g(&s); clock(&s); return 0; }"),
            "name = \"spin_lock_x\"\neffects = [{ acquire = 0 }]\n"
            "name = \"pool_trylock\"\neffects = [{ acquire = 1, blocking = false, success = \"nonzero\" }]\n"
            "name = \"pool_unlock\"\neffects = [{ release = 1 }]\n"
            "name = \"spin_unlock_x\"\neffects = [{ release = 0 }]\n");
}

TEST(WrapperProposals, FunctionsOfOneNameAreProposedOnce) {
  const frontend::ScratchFolder folder;
  const auto unit = [&](const std::string& name, const std::string& more) {
    return frontend::Source{folder.write(name, "#include <pthread.h>\nstatic pthread_mutex_t m;\n" + more +
                                                   "static void big_lock(void) { pthread_mutex_lock(&m); }\nvoid use_" +
                                                   name.substr(0, 1) + "(void) { big_lock(); }"),
                            {}};
  };
  const auto program = frontend::read_sources({unit("a.c", "int a;\n"), unit("b.c", "long b;\n\n")}, {});
  ASSERT_TRUE(program.has_value()) << program.error().message;
  const auto models = ApiModels::shipped();
  const auto proposals = propose_wrappers(*program, *models);
  ASSERT_EQ(proposals.size(), 1u);
  EXPECT_EQ(proposals[0].model.name, "big_lock");
  EXPECT_EQ(proposals[0].model.effects[0].note, "m");
}

TEST(WrapperProposals, LocksOfAProfileCountAlthoughTheyHaveABody) {
  const Program program = frontend::read_text(
      "struct lock { int w; }; struct dev { int n; struct lock l; } d;\n"
      "static inline void spin_lock(struct lock *l) { __asm__ volatile(\"\" ::\"r\"(l)); }\n"
      "void dev_lock(struct dev *d) { spin_lock(&d->l); }\n"
      "int main(void) { dev_lock(&d); return 0; }");
  auto models = ApiModels::shipped();
  ASSERT_TRUE(models.has_value());
  EXPECT_TRUE(propose_wrappers(program, *models).empty());
  ASSERT_TRUE(models->add_profile("kernel").has_value());
  const auto proposals = propose_wrappers(program, *models);
  ASSERT_EQ(proposals.size(), 1u);
  EXPECT_EQ(proposals[0].model.name, "dev_lock");
  EXPECT_EQ(proposals[0].reason.substr(0, 86),
            "'dev_lock' looks like a lock of its argument 0, 4 bytes into what it points to (1 call");
}

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle::api
