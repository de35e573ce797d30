// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Hooks for what a called library function does, by its model: reads and writes of memory that its arguments lead to,
// and __heddle1_call where the runtime may know the function itself.
//
//   memcpy(d, s, n)          __heddle1_call_read(s, n, …); __heddle1_call_write(d, n, …)
//   strcpy(d, s)             __heddle1_call_read_string(s, …); __heddle1_call_write(d, strlen(s) + 1, …)
//   printf("%s\n", name)     __heddle1_call_read_string of the format and of name
//   pthread_mutex_lock(m)    __heddle1_call(…)
//
// A size in a model is the most that may be touched; that is what the hook says. An address may be null, then nothing
// is touched. What cannot be said so is guessed, generously, and counted by the function's name.
#pragma once
#include <llvm/IR/InstrTypes.h>

#include "api/action.h"
#include "api/models/format_arguments.h"
#include "instrument/hook_names.h"
#include "instrument/hooks/hook_writer.h"
#include "instrument/hooks/private_memory.h"
#include "instrument/instrument.h"

namespace heddle::instrument {

/// Whatever order a call of the function makes between threads, the runtime tells of. Not so with streams, which have
/// locks of their own, and with whatever is not known: they may order.
bool orders_nothing_unseen(std::string_view function);

/// A call of the function may do something else the next time, for what it has kept for itself: `rand`, `strtok`,
/// `pthread_setspecific`. Memory of the program does not count. `model`: null if there is none.
bool keeps_something(std::string_view function, const api::Model* model);

/// A variable of the C library that its functions use without hooks (under locks of their own), or that leads to more
/// than hooks see.
bool is_used_unseen(std::string_view variable);

class LibraryHooks {
 public:
  LibraryHooks(const Program& program, HookWriter& hooks, HookNames& names, HookCounts& counts, bool hook_all)
      : program_(program), hooks_(hooks), names_(names), counts_(counts), hook_all_(hook_all) {}

  /// In front of `call`, which is `instruction` of `function`.
  void add(llvm::CallBase& call, const Function& function, std::size_t instruction, const api::Model& model,
           PrivateMemory& memory);

 private:
  struct Deeds {
    bool is_for_runtime = false;
    bool frees = false;
    bool is_unsaid = false;
  };
  Deeds treat(const api::Action& action);
  void hidden(const api::Touch& touch);
  bool touch_public(const api::Touch& touch);
  Deeds use_stream(const api::Touch& touch);
  Deeds free_object(const api::Touch& touch);
  Deeds touch(const api::Touch& touch);
  Deeds touch_atomic(const api::TouchAtomic& touch);
  Deeds touch_variadic(const api::Touch& touch);
  void write_counts(const api::Touch& touch, const std::optional<std::vector<api::FormatUse>>& uses);
  Deeds guess_variadic(const api::Touch& touch);
  Deeds end_local(const api::Touch& touch);
  void sized(bool writes, int argument, llvm::Value* bytes);
  void string(int argument, const api::Length& length = {.kind = api::Length::Kind::String});

  [[nodiscard]] std::string_view called_name() const;
  /// Null: the call passes no such argument, or it is no pointer.
  llvm::Value* pointer(int argument) const;
  /// Whether the memory that the argument leads to needs a hook.
  bool is_shared(int argument);
  /// Null: the model cannot say.
  llvm::Value* bytes_of(const api::Length& length);
  llvm::Value* number(std::int64_t argument);
  llvm::Value* guessed_bytes(int argument);
  llvm::Value* copied_string(int argument);
  std::uint64_t name(AccessKind kind, int argument);

  const Program& program_;
  HookWriter& hooks_;
  HookNames& names_;
  HookCounts& counts_;
  bool hook_all_;
  // Of the current call.
  llvm::CallBase* call_ = nullptr;
  const Function* function_ = nullptr;
  std::size_t instruction_ = 0;
  const api::Model* model_ = nullptr;
  PrivateMemory* memory_ = nullptr;
};

}  // namespace heddle::instrument
