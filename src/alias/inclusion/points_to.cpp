// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "alias/inclusion/points_to.h"

#include <algorithm>

namespace heddle::alias {

namespace {

constexpr std::uint64_t most_steps = 5'000'000;  // some seconds

}  // namespace

PointsTo::PointsTo(const Program& program, const api::ApiModels& models, Options options)
    : program_(program), models_(models), options_(options), inclusions_(program.layout.pointer_bits / 8) {
  lay_out();
  globals();
  if (options.main) {
    for (const auto& early : {program.constructors, program.destructors})
      for (const FunctionId f : early)
        if (!root(f) && program.functions[f].has_body()) add_context({.function = f});
    if (!root(options.main)) add_context({.function = options.main});
  } else {
    for (std::size_t f = 0; f < program.functions.size(); ++f)
      if (program.functions[FunctionId(f)].has_body()) common(FunctionId(f));
  }
  walk_new_contexts();
  const auto found_callee = [&](std::uint32_t call, ObjectIndex callee) {
    found(call, callee);
    walk_new_contexts();
  };
  const bool is_done = inclusions_.solve(found_callee, most_steps);
  if (!is_done) give_up("its pointers lead to too many places");
}

void PointsTo::lay_out() {
  nothing_ = inclusions_.node();
  unknown_ = inclusions_.node();
  outside_ = inclusions_.node();
  thread_results_ = inclusions_.node();
  thread_values_ = inclusions_.node();
  thrown_ = inclusions_.node();
  contexts_of_.resize(program_.functions.size());
  common_.resize(program_.functions.size());
  numbers_ = inclusions_.node();
  inclusions_.give(unknown_, {object_of({PointedObject::Kind::Unknown, {}, {}, 0}), anywhere});
  inclusions_.give(numbers_, {object_of({PointedObject::Kind::Unknown, {}, {}, PointedObject::number}), anywhere});
  inclusions_.copy(unknown_, outside_);
  inclusions_.copy(outside_, outside_, anywhere);
  // What is known outside of the program, its code may write anywhere in there, and read.
  inclusions_.store(outside_, outside_, 0);
  inclusions_.load(outside_, 0, outside_);
}

ObjectIndex PointsTo::object_of(const PointedObject& object) {
  const auto [it, is_new] = object_numbers_.try_emplace(object, static_cast<ObjectIndex>(objects_.size()));
  if (is_new) {
    objects_.push_back(object);
    (void)inclusions_.object(bytes_of(object), object.kind == PointedObject::Kind::Function);
  }
  return it->second;
}

std::uint64_t PointsTo::bytes_of(const PointedObject& object) const {
  if (object.kind == PointedObject::Kind::Global) return program_.globals[object.global].size;
  if (object.kind != PointedObject::Kind::Local) return 0;
  const Function& f = program_.functions[object.function];
  const Instruction& made = f.instructions[object.instruction];
  return program_.types[made.access_type].size_bytes() * constant(f.operands_of(made)[0]).value_or(0);
}

ObjectIndex PointsTo::library(const std::string& name) {
  const auto [it, is_new] = library_.try_emplace(name, static_cast<ObjectIndex>(objects_.size()));
  if (is_new) {
    objects_.push_back({PointedObject::Kind::Library, {}, {}, 0});
    (void)inclusions_.object();
  }
  return it->second;
}

const ObjectIndex* PointsTo::find(const PointedObject& object) const {
  const auto known = object_numbers_.find(object);
  return known == object_numbers_.end() ? nullptr : &known->second;
}

/// The addresses that stand in the operand itself.
void PointsTo::addresses(Operand operand, const std::function<void(const PointedObject&)>& visit) const {
  switch (operand.kind()) {
    case Operand::Kind::Global: return visit({PointedObject::Kind::Global, operand.as_global(), {}, 0});
    case Operand::Kind::Function: return visit({PointedObject::Kind::Function, {}, operand.as_function(), 0});
    case Operand::Kind::Constant: {
      const Constant& constant = program_.constants[operand.as_constant()];
      for (const Operand element : constant.elements) addresses(element, visit);
      if (constant.kind == Constant::Kind::Int && program_.types[constant.type].kind == TypeKind::Pointer)
        visit({PointedObject::Kind::Unknown, {}, {}, 0});
      return;
    }
    case Operand::Kind::None:
    case Operand::Kind::Value:
    case Operand::Kind::Block:
    case Operand::Kind::Asm: return;
  }
}

void PointsTo::flow(ContextId context, Operand from, NodeIndex to, std::int64_t by) {
  if (from.is_value()) return inclusions_.copy(value(context, from.as_value()), to, by);
  addresses(from, [&](const PointedObject& object) { inclusions_.give(to, {object_of(object), by}); });
}

NodeIndex PointsTo::node_of(ContextId context, Operand operand) {
  if (operand.is_value()) return value(context, operand.as_value());
  bool is_address = false;
  addresses(operand, [&](const PointedObject&) { is_address = true; });
  if (!is_address) return nothing_;
  const NodeIndex made = inclusions_.node();
  flow(context, operand, made);
  return made;
}

/// All its words may lead into the other one.
void PointsTo::fill(ObjectIndex object, ObjectIndex other) {
  const NodeIndex address = inclusions_.node(), held = inclusions_.node();
  inclusions_.give(address, {object, anywhere});
  inclusions_.give(held, {other, anywhere});
  inclusions_.store(address, held, 0);
}

void PointsTo::globals() {
  for (std::size_t g = 0; g < program_.globals.size(); ++g) {
    const Global& global = program_.globals[GlobalId(g)];
    const ObjectIndex object = object_of({PointedObject::Kind::Global, GlobalId(g), {}, 0});
    // A constant that is defined elsewhere, as the virtual table of a library's class, leads to nothing of the
    // program's. Nor does a variable of a library that only functions with models touch; it may lead to memory of the
    // library.
    if (global.is_declaration() && models_.knows_variable(global.name)) {
      if (!global.is_thread_local) fill(object, library(std::string(global.name)));
    } else if (global.is_declaration() && !global.is_constant) {
      inclusions_.give(outside_, {object, anywhere});
    }
    for (const Relocation& word : global.relocations) {
      const NodeIndex address = inclusions_.node(), held = inclusions_.node();
      inclusions_.give(address, {object, static_cast<std::int64_t>(word.offset)});
      flow({}, word.target, held, word.addend);
      inclusions_.store(address, held, word.size);
    }
  }
}

void PointsTo::found(std::uint32_t call, ObjectIndex callee) {
  if (!connected_.emplace(call, callee).second) return;
  const FunctionId function = objects_[callee].function;
  const Waiting waiting = waiting_[call];
  if (program_.functions[function].has_body()) return connect(waiting, function);
  library_call(waiting, function);
}

void PointsTo::connect(const Waiting& call, FunctionId callee) {
  const Function& f = program_.functions[callee];
  const ContextId into = call.has_context ? context_for(call.site, callee) : common(callee);
  for (std::size_t k = 0; k < call.arguments.size(); ++k) {
    if (k >= f.parameters.size()) {
      inclusions_.copy(call.arguments[k], contexts_[into].rest);
      continue;
    }
    const NodeIndex parameter = value(into, ValueId(k));
    const auto is_copied = [&](const ByValue& one) { return one.index == k && one.bytes != 0; };
    if (std::ranges::none_of(call.byval, is_copied) && std::ranges::none_of(f.byval, is_copied)) {
      inclusions_.copy(call.arguments[k], parameter);
      continue;
    }
    inclusions_.give(parameter,
                     {object_of({PointedObject::Kind::Passed, {}, callee, static_cast<std::uint32_t>(k), into}), 0});
    inclusions_.move(parameter, call.arguments[k], std::nullopt);
  }
  inclusions_.copy(contexts_[into].results, call.result);
}

std::vector<Target> PointsTo::targets(ContextId context, Operand operand) const {
  if (operand.is_value()) return inclusions_.targets(value(context, operand.as_value()));
  std::vector<Target> out;
  addresses(operand, [&](const PointedObject& object) {
    if (const ObjectIndex* known = find(object)) out.push_back({*known, 0});
  });
  return out;
}

std::vector<Target> PointsTo::targets(FunctionId function, Operand operand) const {
  if (!operand.is_value()) return targets(ContextId(), operand);
  std::set<Target> out;
  for (const ContextId context : contexts_of_[function.index()]) {
    const std::vector<Target>& there = inclusions_.targets(value(context, operand.as_value()));
    out.insert(there.begin(), there.end());
  }
  return {out.begin(), out.end()};
}

std::vector<Target> PointsTo::rearranged(ContextId context, std::uint32_t instruction) const {
  const auto known = rearranged_.find({context, instruction});
  return known == rearranged_.end() ? std::vector<Target>() : inclusions_.targets(known->second);
}

}  // namespace heddle::alias
