// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "api/models/api_models.h"

#include <gtest/gtest.h>

#include <set>

#include "api/models/embedded_models.h"
#include "api/reader/model_reader.h"

namespace heddle::api {
namespace HEDDLE_TEST_FILE {

ApiModels shipped() {
  auto models = ApiModels::shipped();
  EXPECT_TRUE(models.has_value()) << (models ? "" : models.error().message);
  return models.value_or(ApiModels{});
}

/// The only effect of a shipped model.
Effect only_effect(const ApiModels& models, std::string_view symbol) {
  const Model* model = models.find(symbol);
  EXPECT_NE(model, nullptr) << symbol;
  if (model == nullptr) return {};
  EXPECT_EQ(model->effects.size(), 1U) << symbol;
  return model->effects.empty() ? Effect{} : model->effects.front();
}

/// What a shipped model does after it has read its arguments.
Effect last_effect(const ApiModels& models, std::string_view symbol) {
  const Model* model = models.find(symbol);
  EXPECT_NE(model, nullptr) << symbol;
  return model == nullptr || model->effects.empty() ? Effect{} : model->effects.back();
}

TEST(ApiModels, KnowsTheVariablesThatItsFunctionsTouch) {
  const auto models = ApiModels::shipped();
  ASSERT_TRUE(models.has_value());
  EXPECT_TRUE(models->knows_variable("environ"));  // setenv says so
  EXPECT_TRUE(models->knows_variable("optind"));   // [variables] does
  EXPECT_FALSE(models->knows_variable("program_invocation_name"));
}

TEST(ShippedModels, EveryFileIsReadAndNoNameStandsInTwo) {
  std::set<std::string> names;
  EXPECT_GE(embedded_models().size(), 8U);
  for (const EmbeddedModel& embedded : embedded_models()) {
    if (embedded.file.starts_with("models/profiles/") || !embedded.file.ends_with(".toml")) continue;
    const auto read = read_models(embedded.text, std::string(embedded.file));
    ASSERT_TRUE(read.has_value()) << read.error().message;
    for (const Model& model : read->models)
      EXPECT_TRUE(names.insert(model.name).second) << model.name << " stands twice";
  }
  EXPECT_EQ(shipped().all().size(), names.size());
}

TEST(Profiles, AreReadOnRequestOnly) {
  ApiModels models = shipped();
  EXPECT_EQ(ApiModels::profiles(), (std::vector<std::string>{"firmware", "kernel", "libevent"}));
  EXPECT_EQ(models.find("spin_lock"), nullptr);
  EXPECT_TRUE(models.entries().empty());
  const auto unknown = models.add_profile("kernal");
  ASSERT_FALSE(unknown.has_value());
  EXPECT_EQ(unknown.error().message, "'kernal' is no profile (known: firmware, kernel, libevent, sv-comp, no-sv-comp)");
  ASSERT_TRUE(models.add_profile("libevent").has_value());
  EXPECT_FALSE(models.volatile_is_marked()) << "only the kernel means a mark by it";
  const auto added = models.add_profile("kernel");
  EXPECT_TRUE(models.volatile_is_marked());
  ASSERT_TRUE(added.has_value()) << added.error().message;
  ASSERT_NE(models.find_wrapper("spin_lock"), nullptr);
  EXPECT_EQ(models.find_wrapper("spin_lock")->effects.front().kind, EffectKind::Acquire);
  EXPECT_NE(models.find_wrapper("spin_lock@drivers/a.c"), nullptr);
  EXPECT_EQ(models.find_wrapper("pthread_mutex_lock"), nullptr) << "a function with a body is what its body says";
  EXPECT_FALSE(models.entries().empty());
}

/// Every lock of the profile can be given back, in the same words.
TEST(Profiles, KernelLocksComeWithTheirUnlocks) {
  ApiModels models;
  ASSERT_TRUE(models.add_profile("kernel").has_value());
  const std::pair<const char*, const char*> pairs[] = {{"spin_lock", "spin_unlock"},
                                                       {"mutex_lock", "mutex_unlock"},
                                                       {"down_read", "up_read"},
                                                       {"down_write", "up_write"},
                                                       {"lock_sock", "release_sock"},
                                                       {"bit_spin_lock", "bit_spin_unlock"},
                                                       {"_raw_read_lock", "_raw_read_unlock"},
                                                       {"write_seqlock", "write_sequnlock"},
                                                       {"read_seqbegin", "read_seqretry"}};
  for (const auto& [lock, unlock] : pairs) {
    const Effect take = only_effect(models, lock);
    const Effect give = only_effect(models, unlock);
    EXPECT_EQ(take.kind, EffectKind::Acquire) << lock;
    EXPECT_EQ(give.kind, EffectKind::Release) << unlock;
    EXPECT_EQ(take.object, give.object) << lock;
  }
  EXPECT_EQ(only_effect(models, "rcu_read_lock").note, only_effect(models, "rcu_read_unlock").note);
  EXPECT_EQ(only_effect(models, "rtnl_lock").kind, EffectKind::AcquireNamed);
}

TEST(Profiles, MissingModelsAreAddedOnlyWhereThereIsNone) {
  ApiModels models = shipped();
  Model known, missing;
  known.name = "pthread_mutex_lock";
  missing.name = "my_lock";
  models.add_missing({known, missing});
  EXPECT_EQ(models.find("pthread_mutex_lock")->effects.size(), 1u);
  ASSERT_NE(models.find("my_lock"), nullptr);
}

TEST(ShippedModels, Locks) {
  const ApiModels models = shipped();
  const Effect lock = only_effect(models, "pthread_mutex_lock");
  EXPECT_EQ(lock.kind, EffectKind::Acquire);
  EXPECT_TRUE(lock.blocking);
  const Effect try_lock = only_effect(models, "pthread_mutex_trylock");
  EXPECT_FALSE(try_lock.blocking);
  EXPECT_EQ(try_lock.success, Success::Zero);
  EXPECT_EQ(only_effect(models, "pthread_rwlock_rdlock").mode, LockMode::Shared);
  EXPECT_EQ(only_effect(models, "pthread_rwlock_wrlock").mode, LockMode::Exclusive);
  EXPECT_EQ(only_effect(models, "__pthread_mutex_unlock").kind, EffectKind::Release);
  EXPECT_EQ(only_effect(models, "mtx_init").argument, 1);
  EXPECT_EQ(last_effect(models, "pthread_mutex_init").value, 1);
  EXPECT_EQ(only_effect(models, "pthread_cond_wait").lock, 1);
}

TEST(ShippedModels, Threads) {
  const ApiModels models = shipped();
  const Effect create = last_effect(models, "pthread_create");
  EXPECT_EQ(create.kind, EffectKind::Spawn);
  EXPECT_EQ(create.entry, 2);
  EXPECT_EQ(create.argument, 3);
  EXPECT_EQ(create.handle, 0);
  EXPECT_EQ(only_effect(models, "thrd_create").entry, 1);
  EXPECT_EQ(only_effect(models, "pthread_join").value, 1);
  EXPECT_EQ(only_effect(models, "pthread_self").kind, EffectKind::CurrentThread);
  EXPECT_EQ(only_effect(models, "pthread_cancel").kind, EffectKind::Unsupported);
  EXPECT_EQ(only_effect(models, "call_once").entry, 1);
}

TEST(ShippedModels, ThreadsOfCpp) {
  const ApiModels models = shipped();
  const Model* start =
      models.find("_ZNSt6thread15_M_start_threadESt10unique_ptrINS_6_StateESt14default_deleteIS1_EEPFvvE");
  ASSERT_NE(start, nullptr);
  const Effect& spawn = start->effects.front();
  EXPECT_EQ(spawn.kind, EffectKind::Spawn);
  EXPECT_EQ(spawn.entry_slot, 2);
  EXPECT_EQ(spawn.after_slot, 1);
  EXPECT_TRUE(spawn.indirect);
  EXPECT_EQ(only_effect(models, "__cxa_guard_acquire").success, Success::NonZero);
  EXPECT_EQ(only_effect(models, "_Znwm").kind, EffectKind::Allocate);
  const Model* thrown = models.find("__cxa_throw");
  ASSERT_TRUE(thrown != nullptr && thrown->effects.size() == 2);
  EXPECT_EQ(thrown->effects[0].kind, EffectKind::AtExceptionEnd);
  EXPECT_EQ(thrown->effects[0].entry, 2);
  EXPECT_EQ(thrown->effects[1].kind, EffectKind::Throw);
}

TEST(ShippedModels, MemoryAndStrings) {
  const ApiModels models = shipped();
  const Model* copy = models.find("memcpy");
  ASSERT_NE(copy, nullptr);
  ASSERT_EQ(copy->effects.size(), 4U);
  EXPECT_EQ(copy->effects[0].kind, EffectKind::Read);
  EXPECT_EQ(copy->effects[1].kind, EffectKind::Write);
  EXPECT_EQ(copy->effects[2].kind, EffectKind::Copy);
  EXPECT_EQ(copy->effects[3].kind, EffectKind::Returns);
  EXPECT_TRUE(only_effect(models, "calloc").zeroed);
  EXPECT_EQ(only_effect(models, "calloc").length.kind, Length::Kind::Product);
  EXPECT_EQ(only_effect(models, "posix_memalign").object, 0);
  EXPECT_EQ(only_effect(models, "abort").kind, EffectKind::NoReturn);
  const Model* yield = models.find("sched_yield");
  ASSERT_NE(yield, nullptr);
  EXPECT_TRUE(yield->effects.empty());
}

TEST(ShippedModels, VerifierFunctionsAndIntrinsics) {
  const ApiModels models = shipped();
  EXPECT_EQ(only_effect(models, "__VERIFIER_nondet_uint").kind, EffectKind::Nondet);
  EXPECT_EQ(only_effect(models, "__VERIFIER_atomic_begin").kind, EffectKind::AtomicBegin);
  EXPECT_TRUE(models.is_atomic_function("__VERIFIER_atomic_acquire"));
  EXPECT_FALSE(models.is_atomic_function("__VERIFIER_nondet_int"));
  EXPECT_NE(models.find("llvm.umul.with.overflow.i64"), nullptr);
  EXPECT_EQ(only_effect(models, "llvm.trap").kind, EffectKind::NoReturn);
}

TEST(ApiModels, UnknownIsNotNoEffect) { EXPECT_EQ(shipped().find("function_of_nobody"), nullptr); }

TEST(ApiModels, TheLongestPrefixAmongManyIsFound) {
  const std::vector<std::string> prefixes{"a", "ab", "abcd", "abce", "abz", "b", "bcd", "bcdef"};
  ApiModels models;
  for (const std::string& prefix : prefixes)
    ASSERT_TRUE(models.add_toml("[[function]]\nname = \"" + prefix + "*\"\neffects = [{ returns = 0 }]\n", "a.toml"));
  // All words of up to five of these letters.
  std::vector<std::string> words{""};
  for (std::size_t i = 0; i < words.size(); ++i) {
    std::string longest;
    for (const std::string& prefix : prefixes)
      if (words[i].starts_with(prefix) && prefix.size() > longest.size()) longest = prefix;
    const Model* found = models.find(words[i]);
    EXPECT_EQ(found == nullptr ? "" : found->name, longest.empty() ? "" : longest + "*") << words[i];
    if (words[i].size() < 5)
      for (const char letter : {'a', 'b', 'c', 'd', 'e', 'z'}) words.push_back(words[i] + letter);
  }
}

TEST(ApiModels, ExactNamesBeforePrefixesAndLongPrefixesFirst) {
  ApiModels models;
  ASSERT_TRUE(models
                  .add_toml(R"(
[[function]]
name = "get*"
effects = [{ returns = 0 }]
[[function]]
name = "get_two*"
effects = [{ returns = 1 }]
[[function]]
name = "get_two_exact"
effects = [{ returns = 2 }]
)",
                            "a.toml")
                  .has_value());
  EXPECT_EQ(only_effect(models, "get").object, 0);
  EXPECT_EQ(only_effect(models, "get_one").object, 0);
  EXPECT_EQ(only_effect(models, "get_two").object, 1);
  EXPECT_EQ(only_effect(models, "get_two_exactly").object, 1);
  EXPECT_EQ(only_effect(models, "get_two_exact").object, 2);
  EXPECT_EQ(models.find("ge"), nullptr);
  EXPECT_EQ(models.find(""), nullptr);
  const auto all = models.all();
  ASSERT_EQ(all.size(), 3U);
  EXPECT_EQ(all[0]->name, "get*");
  EXPECT_EQ(all[2]->name, "get_two_exact");
}

TEST(ApiModels, AUsersFileReplacesShippedModels) {
  ApiModels models = shipped();
  const std::size_t before = models.all().size();
  ASSERT_TRUE(
      models.add_toml("[[function]]\nname = \"rand\"\neffects = [{ hidden_write = \"rand\" }]\n", "heddle.toml"));
  EXPECT_EQ(models.all().size(), before);
  EXPECT_EQ(only_effect(models, "rand").kind, EffectKind::HiddenWrite);
  EXPECT_EQ(models.find("rand")->file, "heddle.toml");
}

TEST(ApiModels, AFileWithAnErrorChangesNothing) {
  ApiModels models;
  const auto added =
      models.add_toml("[[function]]\nname = \"f\"\neffects = []\n[[function]]\nname = \"g\"\n", "a.toml");
  ASSERT_FALSE(added.has_value());
  EXPECT_TRUE(models.all().empty());
}

TEST(ApiModels, AProjectDescribesASystem) {
  const auto describes = [](const std::string& toml, const std::string& file = "heddle.toml") {
    ApiModels models;
    EXPECT_TRUE(models.add_toml(toml, file).has_value());
    return models.describes_system();
  };
  EXPECT_FALSE(describes("[[entry]]\nfunction = \"f\"\ncontext = \"hardirq\"\n"));
  EXPECT_TRUE(describes("[[entry]]\nfunction = \"f\"\nkind = \"interrupt\"\n"));
  EXPECT_TRUE(describes("[[entry]]\nfunction = \"f\"\ncontext = \"thread\"\npriority = 1\n"));
  EXPECT_TRUE(describes("[system]\ncores = 2\n"));
  EXPECT_FALSE(describes("[[mask]]\ndisable = \"off\"\nenable = \"on\"\n")) << "a mask alone says nothing of who runs";
  EXPECT_FALSE(describes("[system]\ncores = 2\n", "models/profiles/x.toml")) << "a profile is asked for";
}

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle::api
