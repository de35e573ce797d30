// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>

#include "interpret/library/cxx/class_hierarchy.h"
#include "interpret/library/natives.h"

namespace heddle::interpret {
namespace {

/// What the machine can do with one action of a model.
enum class Role : std::uint8_t {
  Carried,    ///< it is carried out
  Described,  ///< native code does it, or nobody
  Refused,    ///< a function that does it is not executed
};

Role role_of(api::LockRef::Kind lock) {
  switch (lock) {
    case api::LockRef::Kind::Object:
    case api::LockRef::Kind::Section: return Role::Carried;
    case api::LockRef::Kind::Named: return Role::Refused;
  }
  return Role::Refused;
}

Role role_of(const api::ReturnValue& value) {
  switch (value.what) {
    case api::ReturnValue::What::Hidden: return value.holds_key ? Role::Carried : Role::Described;
    case api::ReturnValue::What::ThisThread: return Role::Carried;
    case api::ReturnValue::What::Argument:
    case api::ReturnValue::What::Into:
    case api::ReturnValue::What::Reachable:
    case api::ReturnValue::What::Anything: return Role::Described;
  }
  return Role::Described;
}

Role role_of(const api::Effect& effect) {
  return api::treat(
      api::action_of(effect), [](const api::TakeLock& take) { return role_of(take.lock.kind); },
      [](const api::GiveLock& give) { return role_of(give.lock.kind); },
      [](const api::RunLater& later) {
        return later.when == api::RunLater::When::Outside ? Role::Refused : Role::Carried;
      },
      [](const api::Touch& touch) { return touch.mode == api::Touch::Mode::Free ? Role::Carried : Role::Described; },
      [](const api::ReturnValue& value) { return role_of(value); },
      [](const api::CallBack& back) { return back.global.empty() ? Role::Described : Role::Carried; },
      [](const api::End& end) { return end.of == api::End::Of::Frame ? Role::Described : Role::Carried; },
      api::Always<Role::Carried, api::SetUpObject, api::StartThread, api::LeaveThread, api::UseCondition,
                  api::WaitAtBarrier, api::UseSemaphore, api::RunOnce, api::UseThreadValue, api::MakeMemory,
                  api::TouchAtomic, api::Assume>{},
      api::Always<Role::Described, api::MovePointers>{},
      api::Always<Role::Refused, api::MaskEntries, api::DoUnsupported>{});
}

/// Whether a call that nobody carries out can only be told by what it returns.
bool only_returns_data(const api::Model& model) {
  return std::ranges::all_of(model.effects, [](const api::Effect& effect) {
    if (const auto value = api::get<api::ReturnValue>(effect)) return value->what == api::ReturnValue::What::Anything;
    const auto touch = api::get<api::Touch>(effect);
    if (!touch || touch->mode != api::Touch::Mode::Read) return false;
    return touch->extent == api::Touch::Extent::Object || touch->extent == api::Touch::Extent::Hidden;
  });
}

bool returns_an_argument(const api::Effect& effect) {
  const auto value = api::get<api::ReturnValue>(effect);
  return value && value->what == api::ReturnValue::What::Argument;
}

External from_model(const api::Model* model) {
  External out;
  out.model = model;
  if (model == nullptr) return out;
  const auto is_refused = [](const api::Effect& e) { return role_of(e) == Role::Refused; };
  const auto is_carried = [](const api::Effect& e) { return role_of(e) == Role::Carried; };
  if (std::ranges::any_of(model->effects, is_refused)) {
    out.kind = External::Kind::Unsupported;
    return out;
  }
  const auto it = std::ranges::find_if(model->effects, is_carried);
  if (it != model->effects.end()) {
    out.kind = External::Kind::Effect;
    out.action = api::action_of(*it);
  } else if (model->effects.size() == 1 && returns_an_argument(model->effects[0])) {
    out.kind = External::Kind::Effect;
    out.action = api::action_of(model->effects[0]);
  } else {
    out.kind = only_returns_data(*model) ? External::Kind::Nondet : External::Kind::Unsupported;
  }
  return out;
}

/// Objects of the libraries whose content the machine keeps itself; every other undefined variable has no known
/// content.
/// __libc_single_threaded is a promise that may be zero at any time.
bool has_known_content(const Global& global) {
  return !global.is_declaration() || global.name == "_ZSt15__once_callable" || global.name == "_ZSt11__once_call" ||
         global.name == "__libc_single_threaded";
}

bool is_cxx_stream(const Global& global) {
  return global.is_declaration() &&
         (global.name == "_ZSt4cout" || global.name == "_ZSt4cerr" || global.name == "_ZSt4clog");
}

/// The class of a virtual table of the library that we can fill; null: it is none.
const LibraryClass* table_class(const Global& global) {
  return global.is_declaration() && global.name.starts_with("_ZTV") ? find_library_class(global.name.substr(4))
                                                                    : nullptr;
}

bool is_stream(const Global& global) {
  return global.is_declaration() && (global.name == "stdin" || global.name == "stdout" || global.name == "stderr");
}

}  // namespace

Core::Core(const Program& p, const api::ApiModels& m, MachineOptions o, Chooser& c)
    : program(p), models(m), options(std::move(o)), chooser(c), memory(p.layout.pointer_bits, options.max_threads) {
  pointer_bytes = program.layout.pointer_bits / 8;
  platform = platform_of(program.layout);
  paths.emplace_back();
  record = options.record;
  threads.emplace_back();
  classify_externals();
  declare_synthetic();
  place_globals();
  std::vector<bool> is_section(program.functions.size());
  for (std::size_t f = 0; f < is_section.size(); ++f) {
    const Function& function = program.functions[FunctionId(f)];
    is_section[f] = function.has_body() && models.is_atomic_function(function.name);
  }
  decoded = decode(program, is_section, shapes_of(program), placement);
  for (std::size_t i = 0; i < synthetic_names.size(); ++i) {
    FunctionCode code;
    code.id = FunctionId(program.functions.size() + i);
    decoded.functions.push_back(std::move(code));
  }
  start_main();
}

void Core::place_globals() {
  for (std::size_t f = 0; f < program.functions.size(); ++f) {
    const bool is_missing = program.functions[FunctionId(f)].may_be_missing && externals[f].is_unknown();
    placement.function_address.push_back(is_missing ? 0 : memory.function_address(f));
  }
  for (std::size_t g = 0; g < program.globals.size(); ++g) {
    const Global& global = program.globals[GlobalId(g)];
    if (global.is_thread_local || (global.is_declaration() && global.may_be_missing)) {
      placement.global_address.push_back(0);
      placement.global_object.push_back(0);
      continue;
    }
    const bool is_unknown = !has_known_content(global) && !is_stream(global) &&
                            (!is_cxx_stream(global) || pointer_bytes != 8) && table_class(global) == nullptr;
    // Type information of the library is only compared by address, but a size of zero would make two of them one.
    const std::uint64_t least = table_class(global) != nullptr ? 5 * pointer_bytes : 16;
    const std::uint64_t extent = global.is_declaration() ? std::max<std::uint64_t>(global.size, least) : global.size;
    const ObjectId id = memory.add_global(extent, global.align, global.is_constant && !global.is_declaration());
    Object& object = memory.object(id);
    object.global = GlobalId(g);
    if (is_unknown) {  // an address and nothing behind it: each access ends in bad_access
      object.size = 0;
      undefined_globals.push_back({object.base, extent, GlobalId(g)});
    }
    placement.global_address.push_back(object.base);
    placement.global_object.push_back(id);
  }
  for (std::size_t g = 0; g < program.globals.size(); ++g) {
    const Global& global = program.globals[GlobalId(g)];
    const ObjectId id = placement.global_object[g];
    if (id == 0) continue;
    write_initial(id, global);
    if (const LibraryClass* known = table_class(global); known != nullptr) {
      const GlobalId type = program.find_global("_ZTI" + std::string(known->name));
      fill_table(id, known->name, type.valid() ? placement.global_address[type.index()] : 0);
    }
    if (is_cxx_stream(global)) fill_stream(id);
    if (!is_stream(global)) continue;
    const Address stream = stream_object(global.name == "stdin" ? 0 : global.name == "stdout" ? 1 : 2).bits;
    std::memcpy(memory.object(id).data, &stream, pointer_bytes);
  }
}

const Core::UndefinedGlobal* Core::undefined_global(Address address) const {
  const auto it = std::ranges::upper_bound(undefined_globals, address, {}, &UndefinedGlobal::base);
  if (it == undefined_globals.begin() || address - std::prev(it)->base >= std::prev(it)->extent) return nullptr;
  return &*std::prev(it);
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
    if (externals[f].kind == External::Kind::Effect && std::holds_alternative<api::ReturnValue>(externals[f].action) &&
        std::get<api::ReturnValue>(externals[f].action).what == api::ReturnValue::What::Hidden) {
      externals[f].key = static_cast<std::uint32_t>(shared.key_destructors.size());
      shared.key_destructors.push_back(0);
    }
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
  if (!has_known_content(global)) unsupported("variable " + std::string(global.name) + ", which is not defined");
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

Slot Core::library_key(std::uint32_t key) {
  const Slot variable = pointer_to(library_object(current, library::first_key + key, 4));
  write_word(variable, 4, key);
  return variable;
}

Slot Core::make_string(const std::string& text) {
  const ObjectId id = memory.allocate({ObjectKind::Library, text.size() + 1, 16, current, {}, 0, true});
  if (id == 0) end_run(OutcomeKind::CapReached, "address space");
  std::memcpy(memory.object(id).data, text.data(), text.size());
  return pointer_to(id);
}

}  // namespace heddle::interpret
