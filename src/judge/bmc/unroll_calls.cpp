// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls: of functions with a body, which are unrolled in their place, and of the library, by its models.
#include <algorithm>
#include <bit>

#include "api/object_size.h"
#include "judge/bmc/unroller.h"
#include "program/model/inline_asm.h"

namespace heddle::judge::bmc {

void Unroller::call(const Site& site, Path& path) {
  const Function& caller = *site.frame.function;
  const Operand callee = caller.operands_of(site.code)[0];
  if (callee.kind() == Operand::Kind::Asm) {
    if (width_of(site.code.type) != 0 || !touches_no_memory(caller.calls[site.code.extra].asm_text))
      throw NoEncoding{"it has inline assembly"};
    return;
  }
  const Value address = operand(site.frame, callee);
  if (callee.is_function() && !program_.functions[callee.as_function()].has_body()) {
    call_library(site, path, program_.functions[callee.as_function()]);
  } else {
    const std::vector<ValueNumber> arguments = given(site, path);
    auto [after, result] = call_one_of(address, arguments, path, here(site), &site.frame);
    path = std::move(after);
    if (result != 0) site.frame.values[caller.result_of(site.index).index()] = result;
  }
  if (caller.calls[site.code.extra].no_return) path.condition = Bit::no();
}

/// What a call passes; private copies are made.
std::vector<Unroller::ValueNumber> Unroller::given(const Site& site, Path& path) {
  const Function& caller = *site.frame.function;
  std::vector<ValueNumber> out;
  for (const Operand argument : caller.arguments_of(site.code)) out.push_back(keep(operand(site.frame, argument)));
  for (const ByValue& copy : caller.calls[site.code.extra].byval) {
    if (copy.bytes == 0 || copy.index >= out.size()) continue;
    ObjectKey key{.kind = ObjectKey::Kind::Local, .context = site.frame.context, .number = site.index};
    key.rounds = site.frame.rounds;
    key.rounds.push_back(copy.index);
    key.name = "copy";
    const Value address = address_of(shape_.object(key, copy.bytes));
    Value content = read(site, path, values_[out[copy.index]], copy.bytes, {});
    write(site, path, address, std::move(content), {});
    out[copy.index] = keep(address);
  }
  return out;
}

/// A way for each function that the address may be of.
std::pair<Unroller::Path, Unroller::ValueNumber> Unroller::call_one_of(const Value& callee,
                                                                       const std::vector<ValueNumber>& arguments,
                                                                       const Path& path,
                                                                       std::vector<std::uint32_t> place,
                                                                       const Frame* caller) {
  std::vector<Path> paths;
  std::vector<Bit> conditions;
  std::vector<ValueNumber> results;
  for (const ObjectNumber object : objects_of(callee.leads)) {
    const ObjectKey key = shape_[object].key;
    const Bit is_it = equal(circuit_, callee.bits, shape_.address(object));
    if (key.kind != ObjectKey::Kind::Function || is_it.is_no()) continue;
    const FunctionId id(key.number);
    const Function& target = program_.functions[id];
    if (!target.has_body()) throw NoEncoding{"it calls library functions through pointers"};
    if (target.is_vararg) throw NoEncoding{"it has functions with any number of arguments"};
    Path way = path;
    way.condition = circuit_.both(way.condition, is_it);
    if (way.condition.is_no()) continue;
    std::vector<ValueNumber> passed(target.parameters.size(), 0);
    for (std::size_t k = 0; k < passed.size() && k < arguments.size(); ++k)
      if (values_[arguments[k]].bits.size() == width_of(target.parameters[k])) passed[k] = arguments[k];
    std::vector<std::uint32_t> inner = place;
    inner.push_back(id.index());
    const bool is_section = models_.is_atomic_function(target.name);
    if (is_section) begin_section(way);
    auto [after, result] = function(id, std::move(passed), std::move(way), shape_.context(std::move(inner)), caller);
    if (after.condition.is_no()) continue;
    if (is_section) end_section(after);
    conditions.push_back(after.condition);
    paths.push_back(std::move(after));
    results.push_back(result);
  }
  if (paths.empty()) {
    Path nowhere;
    nowhere.condition = Bit::no();
    return {std::move(nowhere), 0};
  }
  const ValueNumber result = merge_values(conditions, results);
  return {merge_paths(std::move(paths)), result};
}

Unroller::Value Unroller::argument(const Site& site, api::Argument number) {
  const auto arguments = site.frame.function->arguments_of(site.code);
  const auto at = static_cast<std::size_t>(number);
  if (number < 0 || at >= arguments.size()) throw NoEncoding{"a call has too few arguments"};
  return operand(site.frame, arguments[at]);
}

bool Unroller::has_argument(const Site& site, api::Argument number) {
  const auto arguments = site.frame.function->arguments_of(site.code);
  if (number < 0 || static_cast<std::size_t>(number) >= arguments.size()) return false;
  return number_of(argument(site, number).bits) != 0;
}

Unroller::Value Unroller::asked_value(const Path& path, std::uint64_t width) {
  AskedValue asked{thread_, nobody, path.condition, input(circuit_, width)};
  asked.behind = execution_.threads[thread_].points.back();
  execution_.asked.push_back(asked);
  return {std::move(asked.value), 0};
}

/// Of a function that does nothing else. A number that is not said to be any is taken to be zero.
Unroller::Value Unroller::result_of(const Path& path, const api::CallResult& result, std::uint64_t width) {
  if (result.is_any) return asked_value(path, width);
  if (result.numbers.size() != 1 || result.numbers.front().most != api::Effect::none) return {constant(0, width), 0};
  const api::Range& range = result.numbers.front().range;
  const auto bits = static_cast<std::uint64_t>(std::bit_width(static_cast<std::uint64_t>(range.high)));
  if (range.low != 0 || bits > width || !std::has_single_bit(static_cast<std::uint64_t>(range.high) + 1))
    return {constant(0, width), 0};
  return {resize(asked_value(path, bits).bits, width), 0};
}

void Unroller::call_library(const Site& site, Path& path, const Function& callee) {
  const api::Model* model = models_.find(callee.name);
  const std::uint64_t width = width_of(site.code.type);
  if (model == nullptr) {
    if (callee.is_intrinsic && width == 0) return;
    if (callee.is_intrinsic || !models_.is_closed(program_))
      throw NoEncoding{"it calls '" + std::string(callee.name) + "', which is not treated"};
    if (width != 0) set_result(site, asked_value(path, width));
    return;
  }
  if (width != 0) {
    if (callee.is_intrinsic && model->result.is_number)
      throw NoEncoding{"it calls '" + std::string(callee.name) + "', which is not treated"};
    set_result(site, model->effects.empty() ? result_of(path, model->result, width) : Value{constant(0, width), 0});
  }
  for (const api::Effect& effect : model->effects) {
    if (path.condition.is_no()) return;
    act(site, path, effect);
  }
  if (callee.no_return) path.condition = Bit::no();
}

void Unroller::act(const Site& site, Path& path, const api::Effect& effect) {
  using namespace api;
  const auto no = [](const char* why) { throw NoEncoding{why}; };
  treat(
      action_of(effect), [&](const TakeLock& action) { take_lock(site, path, action); },
      [&](const GiveLock& action) {
        if (action.lock.kind == LockRef::Kind::Section) return end_section(path);
        const bool is_named = action.lock.kind == LockRef::Kind::Named;
        give(site, path, is_named ? named_lock(action.lock.name) : argument(site, action.lock.object), false);
      },
      [&](const SetUpObject& action) { set_up(site, path, action); },
      [&](const StartThread& action) { start_thread(site, path, action); },
      [&](const LeaveThread& action) { join_thread(site, path, action); },
      [&](const UseCondition& action) { use_condition(site, path, action); },
      [&](const WaitAtBarrier& action) { wait_at_barrier(site, path, action); },
      [&](const UseSemaphore& action) { use_semaphore(site, path, action); },
      [&](const MakeMemory& action) { allocate(site, path, action); },
      [&](const Touch& action) { touch_memory(site, path, action); },
      [&](const ReturnValue& action) { return_value(site, path, action); },
      [&](const End& action) { end(site, path, action); },
      [&](const Assume& action) {
        path.condition = circuit_.both(path.condition, is_not_zero(circuit_, argument(site, action.object).bits));
      },
      // What runs at the end of the program comes behind all that is looked at.
      [&](const RunLater& action) {
        if (action.when != RunLater::When::ProgramEnd) no("it has functions that run later");
      },
      [&](const RunOnce& action) { run_once(site, path, action); },
      [&](const UseThreadValue&) { no("it has thread-specific values"); },
      [&](const TouchAtomic&) { no("it calls library functions for atomic accesses"); },
      [&](const MovePointers&) { no("the library moves pointers"); },
      [&](const CallBack&) { no("the library calls functions of it"); },
      [&](const MaskEntries&) { no("it holds back interrupts"); },
      [&](const DoUnsupported&) { no("it calls functions that are not supported"); });
}

/// Memory of a size that is not known has few bytes, and ways with more are cut.
void Unroller::allocate(const Site& site, Path& path, const api::MakeMemory& make) {
  constexpr std::uint64_t few = 256;
  std::optional<std::uint64_t> bytes = bytes_of(site, make.length);
  if (make.into != api::Effect::none || make.old != api::Effect::none)
    throw NoEncoding{"it allocates memory in a way that is not treated"};
  if (!bytes) {
    using Kind = api::Length::Kind;
    if (make.length.kind != Kind::Argument && make.length.kind != Kind::Product)
      throw NoEncoding{"it allocates memory of a size that is not known"};
    Word size = argument(site, static_cast<api::Argument>(make.length.value)).bits;
    if (make.length.kind == Kind::Product) {
      const Word second = argument(site, static_cast<api::Argument>(make.length.second)).bits;
      size = multiply(circuit_, resize(size, 2 * size.size()), resize(second, 2 * size.size()));
    }
    path.condition = circuit_.both(path.condition, less(circuit_, size, constant(few + 1, size.size())));
    execution_.is_cut = true;
    bytes = few;
  }
  ObjectKey key{.kind = ObjectKey::Kind::Heap, .context = site.frame.context, .number = site.index};
  key.rounds = site.frame.rounds;
  set_result(site, address_of(shape_.object(key, *bytes)));
}

std::optional<std::uint64_t> Unroller::bytes_of(const Site& site, const api::Length& length) {
  using Kind = api::Length::Kind;
  const auto number = [&](std::int64_t which) {
    return number_of(argument(site, static_cast<api::Argument>(which)).bits);
  };
  switch (length.kind) {
    case Kind::Constant: return static_cast<std::uint64_t>(length.value);
    case Kind::Words: return static_cast<std::uint64_t>(length.value) * (program_.layout.pointer_bits / 8);
    case Kind::Type:
      return static_cast<std::uint64_t>(
          api::bytes_of(static_cast<api::LibraryType>(length.value), program_.layout.pointer_bits));
    case Kind::Argument: return number(length.value);
    case Kind::Product: {
      const auto first = number(length.value), second = number(length.second);
      return first && second ? std::optional(*first * *second) : std::nullopt;
    }
    case Kind::Unknown:
    case Kind::String: return std::nullopt;
  }
  return std::nullopt;
}

/// What the library only reads is left out: nothing is claimed of races with it.
void Unroller::touch_memory(const Site& site, Path& path, const api::Touch& touch) {
  using api::Touch;
  if (touch.mode == Touch::Mode::Read || touch.mode == Touch::Mode::Use) return;
  if (touch.ends_memory()) return touch.mode == Touch::Mode::Free ? free_memory(site, path, touch) : void();
  if (touch.extent == Touch::Extent::Hidden) return;
  if (touch.extent != Touch::Extent::Object) throw NoEncoding{"the library writes to its memory"};
  if (!has_argument(site, touch.object)) return;
  const std::optional<std::uint64_t> bytes = bytes_of(site, touch.length);
  constexpr std::uint64_t most = 4096;
  if (!bytes || *bytes > most) throw NoEncoding{"the library writes to its memory"};
  if (*bytes == 0) return;
  Value content{constant(0, *bytes * 8), 0};
  if (touch.fill != api::Effect::none) {
    const Word byte = argument(site, touch.fill).bits;
    for (std::size_t i = 0; i < content.bits.size(); ++i) content.bits[i] = byte[i % 8];
  }
  write(site, path, argument(site, touch.object), std::move(content), {});
}

/// A write to all of it, for whoever is not ordered with that.
void Unroller::free_memory(const Site& site, Path& path, const api::Touch& touch) {
  if (touch.extent != api::Touch::Extent::Object || !has_argument(site, touch.object)) return;
  const Value address = argument(site, touch.object);
  std::vector<CellTouch> touches;
  for (const ObjectNumber object : objects_of(address.leads)) {
    const Bit is_it = equal(circuit_, address.bits, shape_.address(object));
    if (is_it.is_no() || shape_[object].key.kind != ObjectKey::Kind::Heap || !is_event(object, path)) continue;
    for (const Cell& cell : shape_.all_cells(object)) {
      touches.push_back({cell, is_it, constant(0, (cell.end - cell.begin) * 8), true});
      shape_.note_written(object, cell.begin, touches.back().value);
    }
  }
  if (touches.empty()) return;
  UnrolledEvent event = event_at(site, path, {});
  event.touches = std::move(touches);
  add_event(std::move(event));
}

void Unroller::return_value(const Site& site, const Path& path, const api::ReturnValue& value) {
  using What = api::ReturnValue::What;
  const std::uint64_t width = width_of(site.code.type);
  if (width == 0) return;
  switch (value.what) {
    case What::Argument: {
      Value of = argument(site, value.object);
      of.bits = resize(of.bits, width);
      return set_result(site, std::move(of));
    }
    case What::ThisThread: return set_result(site, address_of(thread_object_));
    case What::Anything: return set_result(site, asked_value(path, width));
    case What::Hidden: {
      constexpr std::uint64_t enough = 64;
      const std::uint32_t context = value.per_thread ? thread_object_ + 1 : 0;
      ObjectKey key{.kind = ObjectKey::Kind::Hidden, .context = context};
      key.name = value.name;
      return set_result(site, address_of(shape_.object(key, enough)));
    }
    case What::Into:
    case What::Reachable:
    case What::Own: throw NoEncoding{"the library returns an address that is not known"};
  }
}

void Unroller::end(const Site& site, Path& path, const api::End& end) {
  if (end.of == api::End::Of::Terminate && end.may_return) return;
  if (end.of != api::End::Of::Thread) {
    path.condition = Bit::no();
    return;
  }
  end_thread(path, end.value == api::Effect::none ? Value{constant(0, program_.layout.pointer_bits), 0}
                                                  : argument(site, end.value));
}

/// The call's result, for one that may not do what it is for.
void Unroller::set_outcome(const Site& site, const api::CallOutcome& outcome, Bit succeeded) {
  const std::uint64_t width = width_of(site.code.type);
  if (width == 0) return;
  std::int64_t good = 0, bad = outcome.failure;
  if (outcome.success == api::Success::NonZero) good = 1;
  if (bad == api::Effect::none) bad = outcome.success == api::Success::Zero ? 1 : good - 1;
  set_result(site, {choose(circuit_, succeeded, constant(static_cast<std::uint64_t>(good), width),
                           constant(static_cast<std::uint64_t>(bad), width)),
                    0});
}

}  // namespace heddle::judge::bmc
