// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>

#include "interpret/core.h"

namespace heddle::interpret {
namespace {

using api::EffectKind;

/// Effects that the machine can carry out by themselves.
bool is_executable(EffectKind kind) {
  switch (kind) {
    case EffectKind::Read:
    case EffectKind::Write:
    case EffectKind::Copy:
    case EffectKind::Invoke:
    case EffectKind::Nondet:
    case EffectKind::Throw:
    case EffectKind::Unsupported:
    case EffectKind::ReadVariadic:
    case EffectKind::WriteVariadic:
    case EffectKind::HiddenRead:
    case EffectKind::HiddenWrite:
    case EffectKind::ReturnsHidden:
    case EffectKind::ReturnsInto:
    case EffectKind::StoresInto:
    case EffectKind::ReadReachable:
    case EffectKind::WriteReachable:
    case EffectKind::ReturnsReachable:
    case EffectKind::Returns: return false;
    default: return true;
  }
}

bool only_returns_data(const api::Model& model) {
  return std::ranges::all_of(model.effects, [](const api::Effect& e) {
    return e.kind == EffectKind::Read || e.kind == EffectKind::Nondet || e.kind == EffectKind::HiddenRead;
  });
}

External from_model(const api::Model* model) {
  External out;
  out.model = model;
  if (model == nullptr) return out;
  const auto is_first = [](const api::Effect& e) { return is_executable(e.kind); };
  const auto it = std::ranges::find_if(model->effects, is_first);
  if (it != model->effects.end()) {
    out.kind = External::Kind::Effect;
    out.effect = static_cast<std::size_t>(it - model->effects.begin());
  } else if (model->effects.size() == 1 && model->effects[0].kind == EffectKind::Returns) {
    out.kind = External::Kind::Effect;
  } else {
    out.kind = only_returns_data(*model) ? External::Kind::Nondet : External::Kind::Unsupported;
  }
  return out;
}

}  // namespace

Core::Core(const Program& p, const api::ApiModels& m, MachineOptions o, Chooser& c)
    : program(p), models(m), options(std::move(o)), chooser(c), memory(p.layout.pointer_bits, options.max_threads) {
  pointer_bytes = program.layout.pointer_bits / 8;
  const std::string& triple = program.layout.triple;
  if (triple.starts_with("x86_64") && pointer_bytes == 8) va_list_kind = VaListKind::X86_64;
  if (triple.starts_with("aarch64")) va_list_kind = VaListKind::AArch64;
  paths.emplace_back();
  record = options.record;
  threads.emplace_back();
  place_globals();
  classify_externals();
  std::vector<bool> is_section(program.functions.size());
  for (std::size_t f = 0; f < is_section.size(); ++f) {
    const Function& function = program.functions[FunctionId(f)];
    is_section[f] = function.has_body() && models.is_atomic_function(function.name);
  }
  decoded = decode(program, is_section, shapes_of(program), placement);
  start_main();
}

void Core::place_globals() {
  for (std::size_t f = 0; f < program.functions.size(); ++f)
    placement.function_address.push_back(memory.function_address(f));
  for (std::size_t g = 0; g < program.globals.size(); ++g) {
    const Global& global = program.globals[GlobalId(g)];
    if (global.is_thread_local) {
      placement.global_address.push_back(0);
      placement.global_object.push_back(0);
      continue;
    }
    // Type information of the library is only compared by address, but a size of zero would make two of them one.
    const std::uint64_t size = global.is_declaration() ? std::max<std::uint64_t>(global.size, 16) : global.size;
    const ObjectId id = memory.add_global(size, global.align, global.is_constant && !global.is_declaration());
    memory.object(id).global = GlobalId(g);
    placement.global_address.push_back(memory.object(id).base);
    placement.global_object.push_back(id);
  }
  for (std::size_t g = 0; g < program.globals.size(); ++g) {
    const Global& global = program.globals[GlobalId(g)];
    if (global.is_thread_local) continue;
    const ObjectId id = placement.global_object[g];
    write_initial(id, global);
    const bool is_stream = global.name == "stdout" || global.name == "stderr" || global.name == "stdin";
    if (!global.is_declaration() || !is_stream) continue;
    const ObjectId stream = memory.allocate({ObjectKind::Library, 256, 16, 0, {}, 0, true});
    memory.object(stream).data[0] = global.name == "stdin" ? 0 : global.name == "stdout" ? 1 : 2;
    std::memcpy(memory.object(id).data, &memory.object(stream).base, pointer_bytes);
  }
}

void Core::write_initial(ObjectId id, const Global& global) {
  Object& object = memory.object(id);
  if (!global.bytes.empty())
    std::memcpy(object.data, global.bytes.data(), std::min<std::size_t>(global.bytes.size(), object.size));
  for (const Relocation& relocation : global.relocations) {
    const bool is_function = relocation.target.is_function();
    const Address base = is_function ? placement.function_address[relocation.target.index()]
                                     : placement.global_address[relocation.target.index()];
    const Address value = (base + static_cast<std::uint64_t>(relocation.addend)) & memory.address_mask();
    if (relocation.offset + relocation.size <= object.size && relocation.size <= 8)
      std::memcpy(object.data + relocation.offset, &value, relocation.size);
  }
}

void Core::classify_externals() {
  externals.resize(program.functions.size());
  for (std::size_t f = 0; f < externals.size(); ++f) {
    const Function& function = program.functions[FunctionId(f)];
    if (models.marks_closed_program(function.name)) is_closed = true;
    if (function.has_body()) continue;
    externals[f] = from_model(models.find(function.name));
    if (const Native native = find_native(function.name); native != nullptr) {
      externals[f].kind = External::Kind::Native;
      externals[f].native = native;
    }
  }
}

void Core::start_main() {
  Thread& main = threads[0];
  main.entry = program.find_function("main");
  main.stack_top = memory.stack_base(0);
  push_native(main, NativeKind::Startup);
  live_threads = 1;
}

ObjectId Core::thread_local_object(ThreadIndex index, GlobalId id) {
  Thread& thread = threads[index];
  for (const auto& [global, object] : thread.thread_locals)
    if (global == id) return object;
  const Global& global = program.globals[id];
  const std::uint64_t size = std::max<std::uint64_t>(global.size, 1);
  const ObjectId object = memory.allocate({ObjectKind::ThreadLocal, size, global.align, index, {}, 0, true});
  if (object == 0) end_run(OutcomeKind::CapReached, "address space");
  memory.object(object).global = id;
  write_initial(object, global);
  thread.thread_locals.emplace_back(id, object);
  return object;
}

ObjectId Core::library_object(ThreadIndex index, std::uint32_t which, std::uint64_t size) {
  touch_thread(index);
  Thread& thread = threads[index];
  for (const auto& [kind, object] : thread.library)
    if (kind == which) return object;
  const ObjectId object = memory.allocate({ObjectKind::Library, size, 16, index, {}, 0, true});
  if (object == 0) end_run(OutcomeKind::CapReached, "address space");
  thread.library.emplace_back(which, object);
  return object;
}

Slot Core::make_string(const std::string& text) {
  const ObjectId id = memory.allocate({ObjectKind::Library, text.size() + 1, 16, current, {}, 0, true});
  if (id == 0) end_run(OutcomeKind::CapReached, "address space");
  std::memcpy(memory.object(id).data, text.data(), text.size());
  return pointer_to(id);
}

}  // namespace heddle::interpret
