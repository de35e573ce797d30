// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "instrument/add_hooks.h"

#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/IntrinsicInst.h>

#include "instrument/hook_names.h"
#include "instrument/hooks/hook_writer.h"
#include "instrument/hooks/private_memory.h"
#include "instrument/hooks/standing_hooks.h"
#include "instrument/library_hooks.h"
#include "instrument/way_hooks.h"
#include "program/names/place_number.h"

namespace heddle::instrument {
namespace {

/// What it answers is never the same again: its clock, its random numbers.
bool asks_processor(const llvm::Instruction& instruction) {
  const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
  if (call == nullptr) return false;
  if (const auto* assembly = llvm::dyn_cast<llvm::InlineAsm>(call->getCalledOperand())) {
    const llvm::StringRef text = assembly->getAsmString();
    for (const char* word : {"rdtsc", "rdrand", "rdseed", "rdpmc", "cntvct", "cntpct", "rndr"})
      if (text.contains_insensitive(word)) return true;
    return false;
  }
  const llvm::Function* callee = call->getCalledFunction();
  if (callee == nullptr || !callee->isIntrinsic()) return false;
  const llvm::StringRef name = callee->getName();
  for (const char* begin : {"llvm.readcyclecounter", "llvm.readsteadycounter", "llvm.x86.rdtsc", "llvm.x86.rdrand",
                            "llvm.x86.rdseed", "llvm.x86.rdpmc", "llvm.aarch64.rndr"})
    if (name.starts_with(begin)) return true;
  return false;
}

class HookAdder {
 public:
  HookAdder(llvm::Module& module, const frontend::Origins& origins, const Program& program,
            const api::ApiModels& models, const HookOptions& options, AccessTable& accesses, HookCounts& counts)
      : module_(module),
        origins_(origins),
        program_(program),
        models_(models),
        options_(options),
        counts_(counts),
        hooks_(module),
        names_(program, accesses),
        ways_(program, options, hooks_),
        standing_(hooks_),
        library_(program, hooks_, names_, counts, options.hook_all) {}

  void run() {
    for (const llvm::GlobalVariable& variable : module_.globals())
      if (is_outside(variable)) ++counts_.unsaid[variable.getName().str()];
    for (std::size_t f = 0; f < origins_.functions.size(); ++f) {
      const llvm::Function* function = origins_.functions[f];
      // A naked function is assembly from its first to its last instruction.
      if (function == nullptr || function->isDeclaration() || function->hasFnAttribute(llvm::Attribute::Naked))
        continue;
      add_to(FunctionId(f));
    }
  }

 private:
  /// A variable that code without hooks has and may use, in ways that no model tells, or not all of them.
  [[nodiscard]] bool is_outside(const llvm::GlobalVariable& variable) const {
    if (!variable.isDeclaration() || variable.isConstant() || variable.use_empty()) return false;
    const std::string_view name = variable.getName();
    return !options_.defined.contains(name) && (!models_.knows_variable(name) || is_used_unseen(name));
  }

  void add_to(FunctionId id) {
    names_.enter(id);
    function_ = &program_.functions[id];
    memory_ = {};
    find_copies(id);
    standing_.enter(*origins_.functions[id.index()], memory_, options_.hook_all);
    ways_.enter(id, origins_.instructions[id.index()]);
    ways_.add_calls();
    const std::vector<AccessSite>& sites = names_.sites();
    for (std::size_t s = 0; s < sites.size(); ++s) add_access(sites[s], s);
    for (std::size_t i = 0; i < function_->instructions.size(); ++i) {
      llvm::Instruction& instruction = *origins_.instructions[id.index()][i];
      if (asks_processor(instruction)) {
        hooks_.stand_before(instruction);
        hooks_.open_end();
      }
      if (function_->instructions[i].is_call()) add_call(llvm::cast<llvm::CallBase>(instruction), i);
      if (auto* fence = llvm::dyn_cast<llvm::FenceInst>(&instruction)) {
        hooks_.stand_before(*fence);
        hooks_.fence(c_order(fence->getOrdering()));
      }
      if (llvm::isa<llvm::ReturnInst, llvm::ResumeInst>(instruction)) add_frame_end(instruction, i);
    }
    for (const auto& [i, copy] : copies_)
      end_copy(llvm::cast<llvm::CallBase>(*origins_.instructions[id.index()][i]), *copy, i);
    names_.leave();
    ways_.add_rest();
  }

  /// Arguments by value that the machine passes as the address of a copy: a slot that is filled by one copy and given
  /// to one call. To be looked for before hooks use it, too.
  void find_copies(FunctionId id) {
    copies_.clear();
    for (std::size_t i = 0; i < function_->instructions.size(); ++i) {
      const auto* call = llvm::dyn_cast<llvm::CallBase>(origins_.instructions[id.index()][i]);
      if (!function_->instructions[i].is_call() || call == nullptr || llvm::isa<llvm::IntrinsicInst>(call)) continue;
      for (const llvm::Use& argument : call->args()) {
        auto* slot = llvm::dyn_cast<llvm::AllocaInst>(argument.get());
        const auto fills_or_is_it = [&](const llvm::User* user) {
          const auto* filled = llvm::dyn_cast<llvm::MemCpyInst>(user);
          return user == call || (filled != nullptr && filled->getRawDest() == slot);
        };
        if (slot != nullptr && slot->hasNUses(2) && llvm::all_of(slot->users(), fills_or_is_it))
          copies_.emplace_back(i, slot);
      }
    }
  }

  /// It ends with the call.
  void end_copy(llvm::CallBase& call, llvm::AllocaInst& slot, std::size_t i) {
    if (auto* invoke = llvm::dyn_cast<llvm::InvokeInst>(&call)) {
      if (invoke->getNormalDest()->getSinglePredecessor() == nullptr) return;
      hooks_.stand_before(*invoke->getNormalDest()->getFirstInsertionPt());
    } else {
      hooks_.stand_behind(call);
    }
    end_local(slot, call.getModule()->getDataLayout().getTypeAllocSize(slot.getAllocatedType()), slot.getArraySize(),
              i);
  }

  /// Locals and arguments by value that others may know end with the frame. Not so in main: behind it comes the end of
  /// the program.
  void add_frame_end(llvm::Instruction& end, std::size_t i) {
    llvm::Function& function = *end.getFunction();
    if (function.getName() == "main" || end.getParent()->getTerminatingMustTailCall() != nullptr) return;
    hooks_.stand_before(end);
    const llvm::DataLayout& layout = function.getParent()->getDataLayout();
    for (llvm::Argument& argument : function.args())
      if (argument.hasByValAttr())
        end_local(argument, layout.getTypeAllocSize(argument.getParamByValType()), nullptr, i);
    for (llvm::Instruction& instruction : function.getEntryBlock())
      if (auto* local = llvm::dyn_cast<llvm::AllocaInst>(&instruction))
        end_local(*local, layout.getTypeAllocSize(local->getAllocatedType()), local->getArraySize(), i);
  }

  /// `count`: so many elements; null: one.
  void end_local(llvm::Value& local, llvm::TypeSize size, llvm::Value* count, std::size_t i) {
    if (memory_.holds(local) || size.isScalable()) return;
    llvm::Value* bytes = hooks_.size(size.getFixedValue());
    if (count != nullptr) bytes = hooks_.builder().CreateMul(hooks_.size(count), bytes);
    hooks_.end_of_life(&local, bytes, names_.of_frame(i));
    ++counts_.ends;
  }

  llvm::Instruction& origin(const AccessSite& site) {
    return *origins_.instructions[names_.function().index()][site.instruction];
  }

  static llvm::Value* address_of(llvm::Instruction& instruction, const AccessSite& site) {
    if (auto* copy = llvm::dyn_cast<llvm::MemIntrinsic>(&instruction)) return copy->getArgOperand(site.address_operand);
    if (auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction)) return call->getArgOperand(site.address_operand - 1);
    return instruction.getOperand(site.address_operand);
  }

  llvm::Value* bytes_of(llvm::Instruction& instruction, const AccessSite& site) {
    if (auto* copy = llvm::dyn_cast<llvm::MemIntrinsic>(&instruction)) return hooks_.size(copy->getLength());
    // How much of its list va_arg moves on is the machine's business: its first word stands for it.
    return hooks_.size(site.size.value_or(program_.layout.pointer_bits / 8));
  }

  void add_access(const AccessSite& site, std::size_t number) {
    llvm::Instruction& instruction = origin(site);
    llvm::Value* address = address_of(instruction, site);
    if (!options_.hook_all && memory_.holds(*address)) {
      ++counts_.left_alone;
      return;
    }
    if (site.is_atomic) standing_.tell(instruction, place_number(*function_, site.instruction));
    hooks_.stand_before(instruction);
    const std::uint64_t name = names_.of_site(number);
    llvm::Value* bytes = bytes_of(instruction, site);
    ++counts_.accesses;
    if (site.is_atomic)
      add_atomic(instruction, site, address, bytes, name);
    else
      hooks_.access(writes(site.kind), address, bytes, name);
  }

  void add_atomic(llvm::Instruction& instruction, const AccessSite& site, llvm::Value* address, llvm::Value* bytes,
                  std::uint64_t name) {
    const bool consumes = function_->instructions[site.instruction].may_consume();
    if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
      // Who finds an old value in the guard of a static variable asks the library, and learns the new one.
      const bool is_guard = address->getName().starts_with("_ZGV");
      const std::uint32_t order = is_guard ? __ATOMIC_SEQ_CST : c_order(load->getOrdering());
      hooks_.atomic(address, bytes, name, AtomicKind::Load, order, consumes);
    } else if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
      hooks_.atomic(address, bytes, name, AtomicKind::Store, c_order(store->getOrdering()));
    } else if (auto* update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction)) {
      hooks_.atomic(address, bytes, name, AtomicKind::Update, c_order(update->getOrdering()), consumes);
    } else if (auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction)) {
      hooks_.atomic(address, bytes, name, AtomicKind::Compare, c_order(exchange->getSuccessOrdering()), consumes);
      hooks_.stand_behind(instruction);
      hooks_.compared(hooks_.builder().CreateExtractValue(exchange, 1), c_order(exchange->getFailureOrdering()));
    }
  }

  void add_call(llvm::CallBase& call, std::size_t i) {
    if (call.isInlineAsm()) return add_assembly(call, i);
    const Operand callee = function_->operands_of(function_->instructions[i])[0];
    if (!callee.is_function()) {  // it may lead to a library function
      add_runtime_call(call, i, AccessKind::Free);
      standing_.tell(call, place_number(*function_, i));
      standing_.ask_behind(call);
      return;
    }
    const Function& called = program_.functions[callee.as_function()];
    if (called.has_body() || options_.defined.contains(called.name))
      return standing_.tell(call, place_number(*function_, i));
    if (!called.is_intrinsic && !orders_nothing_unseen(called.name)) ++counts_.ordering[std::string(called.name)];
    const api::Model* model = models_.find(called.name);
    if (model == nullptr && called.is_intrinsic && !call.mayReadOrWriteMemory()) return;
    if (model != nullptr) {
      library_.add(call, *function_, i, *model, memory_);
    } else {
      ++counts_.unknown[std::string(called.name)];
      if (!called.is_intrinsic) add_runtime_call(call, i, AccessKind::Write);
    }
    if (called.is_intrinsic) return;
    hooks_.stand_before(call);
    if (keeps_something(called.name, model)) hooks_.leave_trace(names_.of_call(i, AccessKind::Write, nullptr));
    if (model != nullptr && is_operation(*model) && !called.name.starts_with("_Z"))
      standing_.tell(call, place_number(*function_, i));
    else
      standing_.forget(call);
  }

  /// One operation of the runtime, or several that it knows the order of. Functions of the C++ library call those.
  static bool is_operation(const api::Model& model) {
    return llvm::any_of(model.effects, [](const api::Effect& effect) {
      return api::get<api::TakeLock>(effect) || api::get<api::GiveLock>(effect) ||
             api::get<api::UseCondition>(effect) || api::get<api::UseSemaphore>(effect) ||
             api::get<api::WaitAtBarrier>(effect);
    });
  }

  /// Operands in memory may be read and written; how, the template alone knows.
  void add_assembly(llvm::CallBase& call, std::size_t i) {
    ++counts_.assembly;
    const auto* assembly = llvm::cast<llvm::InlineAsm>(call.getCalledOperand());
    hooks_.stand_before(call);
    for (unsigned argument = 0; argument < call.arg_size(); ++argument) {
      llvm::Type* type = call.getParamElementType(argument);
      llvm::Value* address = call.getArgOperand(argument);
      if (type == nullptr || (!options_.hook_all && memory_.holds(*address)) || assembly->getAsmString().empty())
        continue;
      const std::uint64_t size = call.getModule()->getDataLayout().getTypeStoreSize(type);
      hooks_.library(true, address, hooks_.size(size), names_.of_call(i, AccessKind::Write, nullptr));
      ++counts_.library;
    }
  }

  void add_runtime_call(llvm::CallBase& call, std::size_t i, AccessKind kind) {
    hooks_.stand_before(call);
    hooks_.call(names_.of_call(i, kind, nullptr));
    ++counts_.calls;
  }

  const llvm::Module& module_;
  const frontend::Origins& origins_;
  const Program& program_;
  std::vector<std::pair<std::size_t, llvm::AllocaInst*>> copies_;  ///< with the calls that get them
  const api::ApiModels& models_;
  const HookOptions& options_;
  HookCounts& counts_;
  HookWriter hooks_;
  HookNames names_;
  WayHooks ways_;
  StandingHooks standing_;
  LibraryHooks library_;
  PrivateMemory memory_;
  const Function* function_ = nullptr;
};

}  // namespace

void add_hooks(llvm::Module& module, const frontend::Origins& origins, const Program& names,
               const api::ApiModels& models, const HookOptions& options, AccessTable& accesses, HookCounts& counts) {
  HookAdder(module, origins, names, models, options, accesses, counts).run();
}

}  // namespace heddle::instrument
