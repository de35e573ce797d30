// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "api/api_models.h"

#include <gtest/gtest.h>

#include <set>

#include "api/embedded_models.h"
#include "api/model_reader.h"

namespace heddle::api {
namespace {

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

TEST(ShippedModels, EveryFileIsReadAndNoNameStandsInTwo) {
  std::set<std::string> names;
  EXPECT_GE(embedded_models().size(), 8U);
  for (const EmbeddedModel& embedded : embedded_models()) {
    const auto read = read_models(embedded.text, std::string(embedded.file));
    ASSERT_TRUE(read.has_value()) << read.error().message;
    for (const Model& model : read->models)
      EXPECT_TRUE(names.insert(model.name).second) << model.name << " stands twice";
  }
  EXPECT_EQ(shipped().all().size(), names.size());
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
  EXPECT_EQ(only_effect(models, "pthread_mutex_init").value, 1);
  EXPECT_EQ(only_effect(models, "pthread_cond_wait").lock, 1);
}

TEST(ShippedModels, Threads) {
  const ApiModels models = shipped();
  const Effect create = only_effect(models, "pthread_create");
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
  EXPECT_EQ(only_effect(models, "__cxa_throw").kind, EffectKind::Throw);
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

}  // namespace
}  // namespace heddle::api
