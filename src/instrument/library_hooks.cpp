// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "instrument/library_hooks.h"

#include <llvm/Analysis/CaptureTracking.h>
#include <llvm/Analysis/MemoryBuiltins.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Instructions.h>

#include <algorithm>

#include "api/object_size.h"

namespace heddle::instrument {

using api::Length;
using api::Touch;

namespace {

/// Variables that the library lets the program see.
struct PublicVariable {
  std::string_view name;
  std::uint64_t bytes;
  bool leads_on;        ///< a pointer to what is touched, too
  bool is_used_unseen;  ///< see is_used_unseen
};
constexpr PublicVariable public_variables[] = {
    {"daylight", 4, false, true}, {"environ", 8, true, true}, {"signgam", 4, false, false}, {"stderr", 8, true, false},
    {"stdin", 8, true, false},    {"stdout", 8, true, false}, {"timezone", 8, false, true}, {"tzname", 16, false, true},
};

/// Null: the name means something else here.
llvm::GlobalVariable* find_public(llvm::Module& module, std::string_view name) {
  if (llvm::GlobalValue* known = module.getNamedValue(name)) {
    auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(known);
    return variable == nullptr || variable->hasLocalLinkage() || variable->isThreadLocal() ? nullptr : variable;
  }
  llvm::Type* pointer = llvm::PointerType::getUnqual(module.getContext());
  return new llvm::GlobalVariable(module, pointer, false, llvm::GlobalValue::ExternalLinkage, nullptr, name);
}

}  // namespace

bool is_used_unseen(std::string_view variable) {
  const auto* known = std::ranges::find(public_variables, variable, &PublicVariable::name);
  return known != std::end(public_variables) && known->is_used_unseen;
}

bool orders_nothing_unseen(std::string_view function) {
  // Threads and atomics, which the runtime knows; memory and text; what ends or waits.
  static constexpr std::string_view beginnings[] = {"pthread_",
                                                    "sem_",
                                                    "thrd_",
                                                    "mtx_",
                                                    "cnd_",
                                                    "tss_",
                                                    "__atomic_",
                                                    "__sync_",
                                                    "__VERIFIER_",
                                                    "mem",
                                                    "str",
                                                    "__cxa_",
                                                    "_ZNSt6thread",
                                                    "_ZNKSt6thread",
                                                    "_ZNSt5mutex",
                                                    "_ZNSt18condition_variable",
                                                    "_ZNSt28__atomic_futex",
                                                    "_Zn",
                                                    "_Zd",
                                                    "_ZSt9terminate",
                                                    "_ZNSt9exception",
                                                    "_ZNSt9bad_alloc",
                                                    "_Unwind_",
                                                    "__gxx_personality",
                                                    "clock",
                                                    "sched_"};
  static constexpr std::string_view names[] = {
      "malloc",    "calloc",  "realloc",       "free",    "aligned_alloc",    "posix_memalign", "abort",  "exit",
      "_exit",     "_Exit",   "__assert_fail", "assert",  "reach_error",      "call_once",      "usleep", "sleep",
      "nanosleep", "abs",     "labs",          "time",    "__errno_location", "atoi",           "atol",   "isalpha",
      "isdigit",   "toupper", "tolower",       "_setjmp", "longjmp",          "sysconf"};
  return std::ranges::find(names, function) != std::end(names) ||
         std::ranges::any_of(beginnings, [&](std::string_view one) { return function.starts_with(one); });
}

bool keeps_something(std::string_view function, const api::Model* model) {
  // Models say no more of these than of rand(). Of system calls the runtime tells itself.
  static constexpr std::string_view nothing[] = {"sched_yield", "usleep", "sleep", "pthread_equal", "thrd_equal",
                                                 "thrd_yield",  "abs",    "labs",  "llabs",         "syscall"};
  if (std::ranges::find(nothing, function) != std::end(nothing)) return false;
  if (model == nullptr || model->effects.empty()) return true;
  return std::ranges::any_of(model->effects, [](const api::Effect& effect) {
    return api::treat(
        api::action_of(effect), [](const api::Touch& touch) { return touch.extent != api::Touch::Extent::Object; },
        [](const api::ReturnValue& value) { return value.what == api::ReturnValue::What::Anything; },
        [](const api::UseThreadValue& use) { return use.step != api::UseThreadValue::Step::Get; },
        api::Always<false, api::TakeLock, api::GiveLock, api::SetUpObject, api::StartThread, api::LeaveThread,
                    api::UseCondition, api::WaitAtBarrier, api::UseSemaphore, api::RunOnce, api::MakeMemory,
                    api::TouchAtomic, api::MovePointers, api::End, api::Assume>{},
        api::Always<true, api::RunLater, api::CallBack, api::MaskEntries, api::DoUnsupported>{});
  });
}

llvm::Value* LibraryHooks::pointer(int argument) const {
  if (argument < 0 || static_cast<unsigned>(argument) >= call_->arg_size()) return nullptr;
  llvm::Value* value = call_->getArgOperand(static_cast<unsigned>(argument));
  return value->getType()->isPointerTy() && !llvm::isa<llvm::ConstantPointerNull>(value) ? value : nullptr;
}

bool LibraryHooks::is_shared(int argument) {
  const llvm::Value* address = pointer(argument);
  return address != nullptr && (hook_all_ || !memory_->holds(*address));
}

llvm::Value* LibraryHooks::number(std::int64_t argument) {
  if (argument < 0 || static_cast<unsigned>(argument) >= call_->arg_size()) return nullptr;
  llvm::Value* value = call_->getArgOperand(static_cast<unsigned>(argument));
  return value->getType()->isIntegerTy() ? hooks_.size(value) : nullptr;
}

llvm::Value* LibraryHooks::bytes_of(const Length& length) {
  const std::uint64_t word = program_.layout.pointer_bits / 8;
  switch (length.kind) {
    case Length::Kind::Unknown:
    case Length::Kind::String: return nullptr;
    case Length::Kind::Constant: return hooks_.size(static_cast<std::uint64_t>(length.value));
    case Length::Kind::Words: return hooks_.size(static_cast<std::uint64_t>(length.value) * word);
    case Length::Kind::Type:
      return hooks_.size(static_cast<std::uint64_t>(
          api::bytes_of(static_cast<api::LibraryType>(length.value), program_.layout.pointer_bits)));
    case Length::Kind::Argument: return number(length.value);
    case Length::Kind::Product: {
      llvm::Value* first = number(length.value);
      llvm::Value* second = number(length.second);
      return first == nullptr || second == nullptr ? nullptr : hooks_.builder().CreateMul(first, second);
    }
  }
  return nullptr;
}

/// How much is written where the content of another argument goes, a string.
llvm::Value* LibraryHooks::copied_string(int argument) {
  for (const api::Effect& effect : model_->effects) {
    const auto move = api::get<api::MovePointers>(effect);
    if (!move || move->how != api::MovePointers::How::Content || move->to != argument ||
        move->length.kind != Length::Kind::String || pointer(move->from) == nullptr)
      continue;
    llvm::IRBuilder<>& builder = hooks_.builder();
    llvm::Type* word = hooks_.size(std::uint64_t{0})->getType();
    const llvm::FunctionCallee strlen = call_->getModule()->getOrInsertFunction("strlen", word, builder.getPtrTy());
    return builder.CreateAdd(builder.CreateCall(strlen, {pointer(move->from)}), hooks_.size(std::uint64_t{1}));
  }
  return nullptr;
}

std::uint64_t LibraryHooks::name(AccessKind kind, int argument) {
  const std::span<const Operand> arguments = function_->arguments_of(function_->instructions[instruction_]);
  const auto index = static_cast<std::size_t>(argument);
  return names_.of_call(instruction_, kind, argument >= 0 && index < arguments.size() ? &arguments[index] : nullptr);
}

/// Calls of old C may pass other arguments than the function takes, so LLVM does not say which it is.
std::string_view LibraryHooks::called_name() const {
  return program_.functions[function_->operands_of(function_->instructions[instruction_])[0].as_function()].name;
}

void LibraryHooks::sized(bool writes, int argument, llvm::Value* bytes) {
  hooks_.library(writes, pointer(argument), bytes, name(writes ? AccessKind::Write : AccessKind::Read, argument));
  ++counts_.library;
}

void LibraryHooks::string(int argument, const Length& length) {
  llvm::Value* most = number(length.most);
  if (most != nullptr) {  // it may not end: what is read is counted here
    llvm::IRBuilder<>& builder = hooks_.builder();
    const llvm::FunctionCallee strnlen =
        call_->getModule()->getOrInsertFunction("strnlen", most->getType(), builder.getPtrTy(), most->getType());
    llvm::Value* text = builder.CreateCall(strnlen, {pointer(argument), most});
    llvm::Value* whole = builder.CreateAdd(text, hooks_.size(std::uint64_t{1}));
    return sized(false, argument, builder.CreateSelect(builder.CreateICmpULT(text, most), whole, most));
  }
  hooks_.library_string(pointer(argument), name(AccessKind::Read, argument));
  ++counts_.library;
}

/// Nobody says how much: the rest of the object if it is in sight, else a page.
llvm::Value* LibraryHooks::guessed_bytes(int argument) {
  constexpr std::uint64_t page = 4096;
  std::uint64_t size = 0;
  const bool is_known = llvm::getObjectSize(pointer(argument), size, call_->getModule()->getDataLayout(), nullptr);
  return hooks_.size(is_known ? size : page);
}

/// Whatever the arguments point to may be touched.
LibraryHooks::Deeds LibraryHooks::guess_variadic(const Touch& touch) {
  for (int argument = touch.object; !touch.is_list && static_cast<unsigned>(argument) < call_->arg_size(); ++argument)
    if (is_shared(argument)) sized(touch.mode == Touch::Mode::Write, argument, guessed_bytes(argument));
  return {.is_unsaid = true};
}

/// What %n stores.
void LibraryHooks::write_counts(const Touch& touch, const std::optional<std::vector<api::FormatUse>>& uses) {
  for (std::size_t i = 0; uses && i < uses->size(); ++i)
    if (const int argument = touch.object + static_cast<int>(i);
        (*uses)[i] == api::FormatUse::Written && is_shared(argument))
      sized(true, argument, hooks_.size(std::uint64_t{1}));  // of hh, and the first byte of all others
}

LibraryHooks::Deeds LibraryHooks::touch_variadic(const Touch& touch) {
  const std::span<const Operand> arguments = function_->arguments_of(function_->instructions[instruction_]);
  const auto format = static_cast<std::size_t>(touch.format);
  llvm::StringRef text;
  if (touch.is_list || touch.mode != Touch::Mode::Read || touch.format < 0 || format >= arguments.size() ||
      pointer(touch.format) == nullptr || !llvm::getConstantStringInfo(pointer(touch.format), text))
    return guess_variadic(touch);
  // A precision may end a text early, a wide one has other characters, and what %n stores has many sizes.
  if (text.contains('.') || text.contains("ls") || text.contains('S') || text.contains('n'))
    if (text.contains('%')) {
      const auto uses = api::uses_by_format(program_, arguments[format]);
      const bool is_plain = uses && std::ranges::all_of(*uses, [](auto use) { return use == api::FormatUse::Value; });
      if (is_plain) return {};
      write_counts(touch, uses);
      return guess_variadic(touch);
    }
  const auto uses = api::uses_by_format(program_, arguments[format]);
  if (!uses) return guess_variadic(touch);
  for (std::size_t i = 0; i < uses->size(); ++i)
    if (const int argument = touch.object + static_cast<int>(i);
        (*uses)[i] == api::FormatUse::Read && is_shared(argument))
      string(argument);
  return {};
}

LibraryHooks::Deeds LibraryHooks::end_local(const Touch& touch) {
  auto* slot = llvm::dyn_cast_or_null<llvm::AllocaInst>(pointer(touch.object));
  if (slot == nullptr || !is_shared(touch.object)) return {};
  llvm::IRBuilder<>& builder = hooks_.builder();
  const llvm::TypeSize element = call_->getModule()->getDataLayout().getTypeAllocSize(slot->getAllocatedType());
  if (element.isScalable()) return {};
  llvm::Value* bytes = builder.CreateMul(hooks_.size(slot->getArraySize()), hooks_.size(element.getFixedValue()));
  hooks_.end_of_life(slot, bytes, name(AccessKind::Free, touch.object));
  ++counts_.ends;
  return {};
}

/// The variable may be another one of that name, and of what it leads to a word stands for all.
bool LibraryHooks::touch_public(const Touch& touch) {
  const auto* known = std::ranges::find(public_variables, touch.name, &PublicVariable::name);
  if (known == std::end(public_variables) || program_.layout.pointer_bits != 64) return false;
  llvm::GlobalVariable* variable = find_public(*call_->getModule(), known->name);
  if (variable == nullptr) return false;
  const bool writes = touch.mode == Touch::Mode::Write;
  const std::uint64_t number = name(writes ? AccessKind::Write : AccessKind::Read, -1);
  hooks_.library(writes, variable, hooks_.size(known->bytes), number);
  ++counts_.library;
  if (!known->leads_on) return true;
  llvm::IRBuilder<>& builder = hooks_.builder();
  hooks_.library(writes, builder.CreateLoad(builder.getPtrTy(), variable), hooks_.size(std::uint64_t{8}), number);
  ++counts_.library;
  return true;
}

/// An object that only the library can name: a byte of our own stands for it, the same one in every unit.
void LibraryHooks::hidden(const Touch& touch) {
  if (touch_public(touch)) return;
  llvm::Module& module = *call_->getModule();
  const std::string symbol = "__heddle1_hidden_" + std::string(touch.name);
  llvm::Type* byte = hooks_.builder().getInt8Ty();
  llvm::GlobalVariable* object = module.getGlobalVariable(symbol);
  if (object == nullptr)
    object = new llvm::GlobalVariable(module, byte, false, llvm::GlobalValue::WeakAnyLinkage,
                                      llvm::ConstantInt::get(byte, 0), symbol);
  const bool writes = touch.mode == Touch::Mode::Write;
  hooks_.access(writes, object, hooks_.size(std::uint64_t{1}), name(writes ? AccessKind::Write : AccessKind::Read, -1));
  ++counts_.library;
}

/// Under the library's own lock, but it must not have been closed: one byte stands for it.
LibraryHooks::Deeds LibraryHooks::use_stream(const Touch& touch) {
  const bool is_stream = touch.extent == Touch::Extent::Object && touch.length.kind == Length::Kind::Unknown;
  if (is_stream && is_shared(touch.object)) sized(false, touch.object, hooks_.size(std::uint64_t{1}));
  return {};
}

/// What the library keeps in memory of its own (the standard streams) it does not give to `free`.
LibraryHooks::Deeds LibraryHooks::free_object(const Touch& touch) {
  const std::string_view name = called_name();
  if ((name == "fclose" || name == "pclose" || name == "closedir") && is_shared(touch.object))
    sized(true, touch.object, hooks_.size(std::uint64_t{1}));
  return {.is_for_runtime = true, .frees = true};
}

LibraryHooks::Deeds LibraryHooks::touch(const Touch& touch) {
  switch (touch.mode) {
    case Touch::Mode::Free: return free_object(touch);
    case Touch::Mode::End: return end_local(touch);
    case Touch::Mode::Use: return use_stream(touch);
    case Touch::Mode::Read:
    case Touch::Mode::Write: break;
  }
  switch (touch.extent) {
    case Touch::Extent::Variadic: return touch_variadic(touch);
    case Touch::Extent::Reachable: return {.is_unsaid = true};
    case Touch::Extent::Hidden: hidden(touch); return {};
    case Touch::Extent::Object: break;
  }
  if (!is_shared(touch.object)) return {};
  const bool writes = touch.mode == Touch::Mode::Write;
  if (!writes && touch.length.kind == Length::Kind::String) {
    string(touch.object, touch.length);
    return {};
  }
  if (llvm::Value* exactly = touch.length.kind == Length::Kind::String ? copied_string(touch.object) : nullptr) {
    hooks_.access(writes, pointer(touch.object), exactly, name(AccessKind::Write, touch.object));
    ++counts_.library;
    return {};
  }
  llvm::Value* bytes = bytes_of(touch.length);
  sized(writes, touch.object, bytes != nullptr ? bytes : guessed_bytes(touch.object));
  return {.is_unsaid = bytes == nullptr};
}

LibraryHooks::Deeds LibraryHooks::touch_atomic(const api::TouchAtomic& touch) {
  if (!is_shared(touch.object)) return {};
  llvm::Value* bytes = bytes_of(touch.length);
  if (bytes == nullptr) return {.is_unsaid = true};
  using Step = api::TouchAtomic::Step;
  const bool reads = touch.step == Step::Read;
  const AtomicKind kind = reads ? AtomicKind::Load : touch.step == Step::Write ? AtomicKind::Store : AtomicKind::Update;
  // The orders are arguments whose places the models do not tell: the strongest one stands for them.
  hooks_.atomic(pointer(touch.object), bytes, name(reads ? AccessKind::Read : AccessKind::Write, touch.object), kind,
                __ATOMIC_SEQ_CST);
  ++counts_.library;
  return {};
}

LibraryHooks::Deeds LibraryHooks::treat(const api::Action& action) {
  constexpr Deeds runtime{.is_for_runtime = true};
  const auto known = [&](const auto&) { return runtime; };
  return api::treat(
      action, [&](const api::TakeLock& a) { return known(a); }, [&](const api::GiveLock& a) { return known(a); },
      [&](const api::SetUpObject& a) { return known(a); }, [&](const api::StartThread& a) { return known(a); },
      [&](const api::RunLater& a) { return known(a); }, [&](const api::LeaveThread& a) { return known(a); },
      [&](const api::UseCondition& a) { return known(a); }, [&](const api::WaitAtBarrier& a) { return known(a); },
      [&](const api::UseSemaphore& a) { return known(a); }, [&](const api::RunOnce& a) { return known(a); },
      [&](const api::UseThreadValue& a) { return known(a); }, [&](const api::Assume& a) { return known(a); },
      [&](const api::DoUnsupported&) { return Deeds{.is_for_runtime = true, .frees = false, .is_unsaid = true}; },
      [&](const api::End& end) { return Deeds{.is_for_runtime = end.of != api::End::Of::Frame}; },
      [&](const api::MakeMemory& make) {
        const bool frees = make.old != api::Effect::none;
        return Deeds{.is_for_runtime = frees, .frees = frees};
      },
      [&](const Touch& a) { return touch(a); }, [&](const api::TouchAtomic& a) { return touch_atomic(a); },
      [&](const api::MovePointers& move) {
        if (move.how != api::MovePointers::How::Into || !is_shared(move.to)) return Deeds{};
        sized(true, move.to, hooks_.size(std::uint64_t{program_.layout.pointer_bits / 8}));
        return Deeds{};
      },
      [&](const api::ReturnValue& value) {
        using What = api::ReturnValue::What;
        return Deeds{.is_for_runtime = value.what == What::Anything || value.what == What::ThisThread,
                     .frees = false,  // what is hidden the program may look at, where hooks see other memory
                     .is_unsaid = value.what == What::Hidden &&
                                  (!value.per_thread || llvm::PointerMayBeCaptured(call_, true, true))};
      },
      [&](const api::CallBack&) { return Deeds{}; }, [&](const api::MaskEntries&) { return Deeds{}; });
}

void LibraryHooks::add(llvm::CallBase& call, const Function& function, std::size_t instruction, const api::Model& model,
                       PrivateMemory& memory) {
  call_ = &call;
  function_ = &function;
  instruction_ = instruction;
  model_ = &model;
  memory_ = &memory;
  hooks_.stand_before(call);
  Deeds all;
  for (const api::Effect& effect : model.effects) {
    const Deeds one = treat(api::action_of(effect));
    all.is_for_runtime |= one.is_for_runtime;
    all.frees |= one.frees;
    all.is_unsaid |= one.is_unsaid;
  }
  if (all.is_unsaid) ++counts_.unsaid[std::string(called_name())];
  if (!all.is_for_runtime) return;
  hooks_.call(names_.of_call(instruction, all.frees ? AccessKind::Free : AccessKind::Write, nullptr));
  ++counts_.calls;
}

}  // namespace heddle::instrument
