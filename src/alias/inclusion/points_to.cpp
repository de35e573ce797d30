// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "alias/inclusion/points_to.h"

#include <algorithm>

namespace heddle::alias {

namespace {

constexpr std::uint64_t most_steps = 5'000'000;  // some seconds

}  // namespace

PointsTo::PointsTo(const Program& program, const api::ApiModels& models, bool declared_arrays)
    : program_(program),
      models_(models),
      inclusions_(program.layout.pointer_bits / 8),
      declared_arrays_(declared_arrays) {
  lay_out();
  globals();
  for (std::size_t f = 0; f < program.functions.size(); ++f)
    if (program.functions[FunctionId(f)].has_body()) walk(FunctionId(f));
  const bool is_done =
      inclusions_.solve([&](std::uint32_t call, ObjectIndex callee) { found(call, callee); }, most_steps);
  if (!is_done) give_up("its pointers lead to too many places");
}

void PointsTo::lay_out() {
  nothing_ = inclusions_.node();
  unknown_ = inclusions_.node();
  outside_ = inclusions_.node();
  thread_results_ = inclusions_.node();
  thread_values_ = inclusions_.node();
  for (const Function& function : program_.functions) {
    results_.push_back(inclusions_.node());
    rest_.push_back(inclusions_.node());
    first_.push_back(0);
    for (std::size_t k = 0; k < function.value_count(); ++k) {
      const NodeIndex made = inclusions_.node();
      if (k == 0) first_.back() = made;
    }
  }
  inclusions_.give(unknown_, {object_of({PointedObject::Kind::Unknown, {}, {}, 0}), anywhere});
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

void PointsTo::flow(FunctionId function, Operand from, NodeIndex to, std::int64_t by) {
  if (from.is_value()) return inclusions_.copy(value(function, from.as_value()), to, by);
  addresses(from, [&](const PointedObject& object) { inclusions_.give(to, {object_of(object), by}); });
}

NodeIndex PointsTo::node_of(FunctionId function, Operand operand) {
  if (operand.is_value()) return value(function, operand.as_value());
  bool is_address = false;
  addresses(operand, [&](const PointedObject&) { is_address = true; });
  if (!is_address) return nothing_;
  const NodeIndex made = inclusions_.node();
  flow(function, operand, made);
  return made;
}

void PointsTo::globals() {
  for (std::size_t g = 0; g < program_.globals.size(); ++g) {
    const Global& global = program_.globals[GlobalId(g)];
    const ObjectIndex object = object_of({PointedObject::Kind::Global, GlobalId(g), {}, 0});
    if (global.is_declaration()) inclusions_.give(outside_, {object, anywhere});
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
  for (std::size_t k = 0; k < call.arguments.size(); ++k) {
    if (k >= f.parameters.size()) {
      inclusions_.copy(call.arguments[k], rest_[callee.index()]);
      continue;
    }
    const NodeIndex parameter = value(callee, ValueId(k));
    const auto is_copied = [&](const ByValue& one) { return one.index == k && one.bytes != 0; };
    if (std::ranges::none_of(call.byval, is_copied) && std::ranges::none_of(f.byval, is_copied)) {
      inclusions_.copy(call.arguments[k], parameter);
      continue;
    }
    inclusions_.give(parameter,
                     {object_of({PointedObject::Kind::Passed, {}, callee, static_cast<std::uint32_t>(k)}), 0});
    inclusions_.move(parameter, call.arguments[k], std::nullopt);
  }
  inclusions_.copy(results_[callee.index()], call.result);
}

std::vector<Target> PointsTo::targets(FunctionId function, Operand operand) const {
  if (operand.is_value()) return inclusions_.targets(value(function, operand.as_value()));
  std::vector<Target> out;
  addresses(operand, [&](const PointedObject& object) {
    if (const ObjectIndex* known = find(object)) out.push_back({*known, 0});
  });
  return out;
}

}  // namespace heddle::alias
