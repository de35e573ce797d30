// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a library function does with addresses, by the actions of its model. What it writes as data has none.
#include <algorithm>
#include <span>

#include "alias/inclusion/points_to.h"

namespace heddle::alias {

/// One call, and what it is given.
struct PointsTo::LibraryCall {
  const Waiting& call;
  NodeIndex nothing;
  [[nodiscard]] NodeIndex operator[](api::Argument index) const {
    return index >= 0 && static_cast<std::size_t>(index) < call.arguments.size()
               ? call.arguments[static_cast<std::size_t>(index)]
               : nothing;
  }
  /// That argument and all behind it.
  [[nodiscard]] std::span<const NodeIndex> from(api::Argument index) const {
    const std::span<const NodeIndex> all = call.arguments;
    return all.subspan(std::min(static_cast<std::size_t>(index), all.size()));
  }
};

void PointsTo::library_call(const Waiting& call, FunctionId callee) {
  const Function& f = program_.functions[callee];
  const api::Model* model = models_.find(f.name);
  const bool gives_pointer = f.type.valid() && program_.types[program_.types[f.type].element].kind == TypeKind::Pointer;
  if (model != nullptr) {
    bool is_told = false;  // where what it returns comes from
    for (const api::Effect& effect : model->effects) {
      const api::Action action = api::action_of(effect);
      const auto* value = std::get_if<api::ReturnValue>(&action);
      is_told = is_told || std::holds_alternative<api::MakeMemory>(action) ||
                std::holds_alternative<api::UseThreadValue>(action) ||
                (value != nullptr && value->what != api::ReturnValue::What::Anything);
      act({call, nothing_}, action);
    }
    if (gives_pointer && !is_told) inclusions_.copy(unknown_, call.result);
    return;
  }
  if (f.is_intrinsic) {
    const bool is_same = f.name.starts_with("llvm.threadlocal.address") || f.name.starts_with("llvm.expect");
    for (const NodeIndex argument : call.arguments) inclusions_.copy(argument, call.result, is_same ? 0 : anywhere);
    return;
  }
  if (models_.is_closed(program_)) return;  // `undefined-functions`: it returns a value, and does nothing
  for (const NodeIndex argument : call.arguments) inclusions_.copy(argument, outside_, anywhere);
  inclusions_.copy(outside_, call.result);
}

std::optional<std::uint64_t> PointsTo::bytes_of(const Waiting& call, const api::Length& length) const {
  if (length.kind == api::Length::Kind::Constant) return static_cast<std::uint64_t>(length.value);
  if (length.kind != api::Length::Kind::Argument || !call.site.function) return std::nullopt;
  const Function& f = program_.functions[call.site.function];
  const auto arguments = f.arguments_of(f.instructions[call.site.instruction]);
  const auto at = static_cast<std::size_t>(length.value);
  return at < arguments.size() ? constant(arguments[at]) : std::nullopt;
}

void PointsTo::call_through(NodeIndex callee, std::vector<NodeIndex> arguments, NodeIndex result) {
  waiting_.push_back({.arguments = std::move(arguments), .result = result, .byval = {}, .site = {}});
  inclusions_.call(callee, static_cast<std::uint32_t>(waiting_.size() - 1));
}

void PointsTo::act(const LibraryCall& call, const api::Action& action) {
  using namespace api;
  const NodeIndex result = call.call.result;
  const std::uint64_t word = program_.layout.pointer_bits / 8;
  const auto unused = [&] { return inclusions_.node(); };
  treat(
      action,
      [&](const StartThread& start) {
        if (start.indirect || start.entry_slot >= 0) return give_up("it has threads of C++");
        call_through(call[start.entry], {call[start.argument]}, thread_results_);
      },
      [&](const RunLater& later) {
        call_through(call[later.entry], {call[later.argument], call[later.argument]}, unused());
      },
      [&](const LeaveThread& leave) { inclusions_.store(call[leave.result], thread_results_, word); },
      [&](const RunOnce& once) { call_through(call[once.entry], {call[once.argument]}, unused()); },
      [&](const UseThreadValue& use) {
        switch (use.step) {
          case UseThreadValue::Step::Create: return call_through(call[use.destructor], {thread_values_}, unused());
          case UseThreadValue::Step::Get: return inclusions_.copy(thread_values_, result);
          case UseThreadValue::Step::Set: return inclusions_.copy(call[use.value], thread_values_);
        }
      },
      [&](const MakeMemory& make) {
        const ObjectIndex made =
            object_of({PointedObject::Kind::Made, {}, call.call.site.function, call.call.site.instruction});
        const NodeIndex address = inclusions_.node();
        inclusions_.give(address, {made, 0});
        if (make.into == Effect::none)
          inclusions_.copy(address, result);
        else
          inclusions_.store(call[make.into], address, word);
        if (make.old != Effect::none) inclusions_.move(address, call[make.old], std::nullopt);
      },
      [&](const Touch& touch) {
        if (touch.extent == Touch::Extent::Reachable) give_up("a library rearranges its memory");
        // Texts have no addresses in them, nor has what a format tells to write. Other data may be one that was read.
        const bool is_data = touch.mode == Touch::Mode::Write && touch.extent == Touch::Extent::Object &&
                             touch.fill == Effect::none && touch.length.kind != Length::Kind::String;
        const auto bytes = bytes_of(call.call, touch.length);
        if (!is_data) {
          if (touch.mode != Touch::Mode::Write || touch.object == Effect::none) return;
          if (touch.extent != Touch::Extent::Variadic) return inclusions_.cut(call[touch.object], bytes);
          for (const NodeIndex one : call.from(touch.object)) inclusions_.cut(one, std::nullopt);
          return;
        }
        NodeIndex into = call[touch.object];
        if (!bytes) inclusions_.copy(call[touch.object], into = inclusions_.node(), anywhere);
        inclusions_.store(into, unknown_, bytes.value_or(word));
      },
      [&](const TouchAtomic& touch) {
        const NodeIndex object = call[touch.object], value = call[touch.value];
        const auto put = [&] {
          NodeIndex from = value;
          if (touch.indirect) inclusions_.load(value, word, from = inclusions_.node());
          inclusions_.store(object, from, word);
        };
        const auto get = [&](NodeIndex into) {
          const NodeIndex held = inclusions_.node();
          inclusions_.load(object, word, held);
          inclusions_.store(into, held, word);
        };
        if (touch.step != TouchAtomic::Step::Read) inclusions_.cut(object, bytes_of(call.call, touch.length));
        switch (touch.step) {
          case TouchAtomic::Step::Read:
            return touch.value == Effect::none ? inclusions_.load(object, word, result) : get(value);
          case TouchAtomic::Step::Write: return put();
          case TouchAtomic::Step::Update:
            put();
            get(call[touch.expected]);
            inclusions_.load(object, word, result);
            // It may add to an address that lies there.
            {
              const NodeIndex changed = inclusions_.node();
              inclusions_.copy(result, changed, anywhere);
              inclusions_.copy(value, changed, anywhere);
              inclusions_.store(object, changed, word);
            }
            return;
        }
      },
      [&](const MovePointers& move) {
        switch (move.how) {
          case MovePointers::How::Content:
            inclusions_.cut(call[move.to], bytes_of(call.call, move.length));
            return inclusions_.move(call[move.to], call[move.from], std::nullopt);
          case MovePointers::How::Into: {
            const NodeIndex inside = inclusions_.node();
            inclusions_.copy(call[move.from], inside, anywhere);
            return inclusions_.store(call[move.to], inside, word);
          }
        }
      },
      [&](const ReturnValue& value) {
        switch (value.what) {
          case ReturnValue::What::Argument:
          case ReturnValue::What::Own: return inclusions_.copy(call[value.object], result);
          case ReturnValue::What::Into: return inclusions_.copy(call[value.object], result, anywhere);
          case ReturnValue::What::Reachable: return give_up("a library rearranges its memory");
          case ReturnValue::What::Hidden: {
            const ObjectIndex hidden = library(std::string(value.name));
            const NodeIndex inside = inclusions_.node();
            inclusions_.give(inside, {hidden, anywhere});
            inclusions_.store(inside, inside, word);
            return inclusions_.copy(inside, result);
          }
          case ReturnValue::What::ThisThread:
          case ReturnValue::What::Anything: return;  // a pointer that nobody tells more of: `library_call`
        }
      },
      [&](const CallBack& back) {
        if (back.entry == Effect::none) return give_up("the library calls functions that it finds elsewhere");
        const NodeIndex inside = inclusions_.node();
        inclusions_.copy(call[back.argument], inside, anywhere);
        inclusions_.copy(call[back.value], inside, anywhere);
        call_through(call[back.entry], {inside, inside, inside}, unused());
      },
      [&](const End& end) {
        switch (end.of) {
          case End::Of::Thread: return inclusions_.copy(call[end.value], thread_results_);
          case End::Of::Frame: return give_up("it has exceptions, or instructions that are not understood");
          case End::Of::Program:
          case End::Of::Terminate:
          case End::Of::Exit: return;
        }
      },
      [&](const DoUnsupported& what) { call_through(call[what.entry], {}, unused()); },
      Nothing<TakeLock, GiveLock, SetUpObject, UseCondition, WaitAtBarrier, UseSemaphore, Assume, MaskEntries>{});
}

}  // namespace heddle::alias
