// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a library function does with addresses, by the actions of its model. What it writes as data has none.
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
  if (length.kind != api::Length::Kind::Argument || !call.site.context) return std::nullopt;
  const Function& f = code_of(call.site.context);
  const auto arguments = f.arguments_of(f.instructions[call.site.instruction]);
  const auto at = static_cast<std::size_t>(length.value);
  return at < arguments.size() ? constant(arguments[at]) : std::nullopt;
}

/// By the call at the site, once for each time that it is made.
void PointsTo::call_through(NodeIndex callee, std::vector<NodeIndex> arguments, NodeIndex result,
                            const CallSite& site) {
  waiting_.push_back({.arguments = std::move(arguments),
                      .result = result,
                      .byval = {},
                      .site = site,
                      .has_context = static_cast<bool>(site.context)});
  inclusions_.call(callee, static_cast<std::uint32_t>(waiting_.size() - 1));
}

/// At any time, any number of times.
void PointsTo::call_back(NodeIndex callee, std::vector<NodeIndex> arguments, NodeIndex result) {
  call_through(callee, std::move(arguments), result, {});
}

/// A thread of C++ begins with a virtual function of the object that it is given, and ends with another one.
void PointsTo::start(const LibraryCall& call, const api::StartThread& start) {
  if (start.entry_slot < 0) {
    if (start.indirect) return give_up("it starts threads in a way that is not understood");
    return call_through(call[start.entry], {call[start.argument]}, thread_results_, call.call.site);
  }
  const std::uint64_t word = program_.layout.pointer_bits / 8;
  NodeIndex object = call[start.entry];
  if (start.indirect) inclusions_.load(call[start.entry], word, object = inclusions_.node());
  const NodeIndex table = inclusions_.node();
  inclusions_.load(object, word, table);
  for (const int slot : {start.entry_slot, start.after_slot}) {
    if (slot < 0) continue;
    const NodeIndex at = inclusions_.node(), function = inclusions_.node();
    inclusions_.copy(table, at, std::int64_t{slot} * static_cast<std::int64_t>(word));
    inclusions_.load(at, word, function);
    call_through(function, {object}, thread_results_, call.call.site);
  }
}

/// All that pointers lead to from there.
NodeIndex PointsTo::reachable(NodeIndex from) {
  const NodeIndex all = inclusions_.node();
  inclusions_.copy(from, all, anywhere);
  inclusions_.load(all, 0, all);
  return all;
}

/// What can be reached from all arguments of a call that are so named is one heap, with new memory in it.
void PointsTo::rearrange(const LibraryCall& call, api::Argument argument) {
  const CallSite& site = call.call.site;
  if (!site.context) return give_up("a library rearranges its memory");
  const auto [known, is_new] = rearranged_.try_emplace({site.context, site.instruction}, 0);
  if (is_new) {
    const NodeIndex all = known->second = reachable(call[argument]);
    const FunctionId function = contexts_[site.context].function;
    inclusions_.give(
        all, {object_of({PointedObject::Kind::Library, {}, function, site.instruction, site.context}), anywhere});
    inclusions_.store(all, all, 0);
  } else {
    inclusions_.copy(call[argument], known->second, anywhere);
  }
}

void PointsTo::act(const LibraryCall& call, const api::Action& action) {
  using namespace api;
  const NodeIndex result = call.call.result;
  const std::uint64_t word = program_.layout.pointer_bits / 8;
  const auto unused = [&] { return inclusions_.node(); };
  treat(
      action, [&](const StartThread& begun) { start(call, begun); },
      [&](const RunLater& later) {
        const std::vector<NodeIndex> given{call[later.argument], call[later.argument]};
        if (later.when == RunLater::When::ProgramEnd)
          call_through(call[later.entry], given, unused(), call.call.site);
        else
          call_back(call[later.entry], given, unused());
      },
      [&](const LeaveThread& leave) { inclusions_.store(call[leave.result], thread_results_, word); },
      [&](const RunOnce& once) { call_through(call[once.entry], {call[once.argument]}, unused(), call.call.site); },
      [&](const UseThreadValue& use) {
        switch (use.step) {
          case UseThreadValue::Step::Create: return call_back(call[use.destructor], {thread_values_}, unused());
          case UseThreadValue::Step::Get: return inclusions_.copy(thread_values_, result);
          case UseThreadValue::Step::Set: return inclusions_.copy(call[use.value], thread_values_);
        }
      },
      [&](const MakeMemory& make) {
        const CallSite& site = call.call.site;
        const FunctionId function = site.context ? contexts_[site.context].function : FunctionId();
        const ObjectIndex made = object_of({PointedObject::Kind::Made, {}, function, site.instruction, site.context});
        const NodeIndex address = inclusions_.node();
        inclusions_.give(address, {made, 0});
        if (make.into == Effect::none)
          inclusions_.copy(address, result);
        else
          inclusions_.store(call[make.into], address, word);
        if (make.old != Effect::none) inclusions_.move(address, call[make.old], std::nullopt);
      },
      [&](const Touch& touch) {
        if (touch.extent == Touch::Extent::Reachable && touch.mode == Touch::Mode::Write)
          return rearrange(call, touch.object);
        // Texts have no addresses in them, nor has what a format tells to write. Other data may be one that was read.
        const bool is_data = touch.mode == Touch::Mode::Write && touch.extent == Touch::Extent::Object &&
                             touch.fill == Effect::none && touch.length.kind != Length::Kind::String;
        if (!is_data) return;
        const auto bytes = bytes_of(call.call, touch.length);
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
        switch (touch.step) {
          case TouchAtomic::Step::Read:
            return touch.value == Effect::none ? inclusions_.load(object, word, result) : get(value);
          case TouchAtomic::Step::Write: return put();
          case TouchAtomic::Step::Update:
            put();
            get(call[touch.expected]);
            return inclusions_.load(object, word, result);
        }
      },
      [&](const MovePointers& move) {
        switch (move.how) {
          case MovePointers::How::Content: return inclusions_.move(call[move.to], call[move.from], std::nullopt);
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
          case ReturnValue::What::Reachable: return inclusions_.copy(reachable(call[value.object]), result);
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
        if (back.ends_exception) return;  // the destructor is said where it is thrown
        if (back.entry == Effect::none) {
          const NodeIndex function = inclusions_.node();
          if (const GlobalId global = program_.find_global(back.global)) {
            const NodeIndex at = inclusions_.node();
            inclusions_.give(at, {object_of({PointedObject::Kind::Global, global, {}, 0}), 0});
            inclusions_.load(at, word, function);
          }
          return call_through(function, {}, unused(), call.call.site);
        }
        const NodeIndex inside = inclusions_.node();
        inclusions_.copy(call[back.argument], inside, anywhere);
        inclusions_.copy(call[back.value], inside, anywhere);
        call_back(call[back.entry], {inside, inside, inside}, unused());
      },
      [&](const End& end) {
        switch (end.of) {
          case End::Of::Thread: return inclusions_.copy(call[end.value], thread_results_);
          case End::Of::Frame:  // of a pointer that is thrown, whoever catches it gets what it holds
            inclusions_.load(call[end.value], word, thrown_);
            return inclusions_.copy(call[end.value], thrown_);
          case End::Of::Program:
          case End::Of::Terminate:
          case End::Of::Exit: return;
        }
      },
      [&](const DoUnsupported& what) { call_back(call[what.entry], {}, unused()); },
      Nothing<TakeLock, GiveLock, SetUpObject, UseCondition, WaitAtBarrier, UseSemaphore, Assume, MaskEntries>{});
}

}  // namespace heddle::alias
