// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "interpret/machine/set_up.h"

#include <algorithm>

#include "interpret/library/cxx/class_hierarchy.h"
#include "interpret/library/cxx/synthetic.h"
#include "interpret/machine/externals.h"
#include "program/model/device_register.h"

namespace heddle::interpret {
namespace {

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

/// A function that is not there may be tested for: its address is null.
void place_functions(Image& image) {
  for (std::size_t f = 0; f < image.program.functions.size(); ++f) {
    const bool is_missing = image.program.functions[FunctionId(f)].may_be_missing && image.externals[f].is_unknown();
    image.placement.function_address.push_back(is_missing ? 0 : Memory::function_address(f));
  }
}

void place_global(Image& image, Memory& memory, GlobalId id) {
  const Global& global = image.program.globals[id];
  if (global.is_thread_local || (global.is_declaration() && global.may_be_missing)) {
    image.placement.global_address.push_back(0);
    image.placement.global_object.push_back(0);
    return;
  }
  if (const auto address = device_address(global)) {  // a number; there is no memory
    image.placement.global_address.push_back(*address);
    image.placement.global_object.push_back(0);
    return;
  }
  const bool is_unknown = !Image::has_known_content(global) && !is_stream(global) &&
                          (!is_cxx_stream(global) || image.pointer_bytes != 8) && table_class(global) == nullptr;
  // Type information of the library is only compared by address, but a size of zero would make two of them one.
  const std::uint64_t least = table_class(global) != nullptr ? 5 * image.pointer_bytes : 16;
  const std::uint64_t extent = global.is_declaration() ? std::max<std::uint64_t>(global.size, least) : global.size;
  const ObjectId object_id = memory.add_global(extent, global.align, global.is_constant && !global.is_declaration());
  Object& object = memory.object(object_id);
  object.global = id;
  if (is_unknown) {  // an address and nothing behind it: each access ends in Space::bad_access
    object.size = 0;
    image.undefined_globals.push_back({object.base, extent, id});
  }
  image.placement.global_address.push_back(object.base);
  image.placement.global_object.push_back(object_id);
}

/// The initial bytes of all globals, and objects of the library that they need.
void fill_globals(Core& core) {
  const Image& image = core.image;
  StreamMaker streams(core.memory);
  for (std::size_t g = 0; g < image.program.globals.size(); ++g) {
    const Global& global = image.program.globals[GlobalId(g)];
    const ObjectId id = image.placement.global_object[g];
    if (id == 0) continue;
    Object& object = core.memory.object(id);
    write_initial(image, global, object.data, object.size, core.memory.address_mask());
    object.has_address = global.is_declaration();
    for (const Relocation& one : global.relocations) core.memory.add_address(object, one.offset);
    if (const LibraryClass* known = table_class(global); known != nullptr) {
      const GlobalId type = image.program.find_global("_ZTI" + std::string(known->name));
      fill_table(image, object, known->name, type.valid() ? image.placement.global_address[type.index()] : 0);
    }
    if (is_cxx_stream(global)) streams.fill(id);
    if (!is_stream(global)) continue;
    const std::uint32_t descriptor = global.name == "stdin" ? 0 : global.name == "stdout" ? 1 : 2;
    const Address stream = core.files.stream_object(descriptor).bits;
    std::memcpy(core.memory.object(id).data, &stream, image.pointer_bytes);
  }
}

void decode_program(Image& image, const api::ApiModels& models) {
  std::vector<bool> is_section(image.program.functions.size());
  for (std::size_t f = 0; f < is_section.size(); ++f) {
    const Function& function = image.program.functions[FunctionId(f)];
    is_section[f] = function.has_body() && models.is_atomic_function(function.name);
  }
  image.decoded = decode(image.program, is_section, shapes_of(image.program), image.placement);
  for (std::size_t i = 0; i < image.synthetic_names.size(); ++i) {
    FunctionCode code;
    code.id = FunctionId(image.program.functions.size() + i);
    image.decoded.functions.push_back(std::move(code));
  }
}

void start_main(Core& core) {
  Thread& main = core.threads[0];
  main.entry = core.image.program.find_function("main");
  main.stack_top = core.memory.stack_base(0);
  core.frames.push_native(main, NativeKind::Startup);
}

}  // namespace

void set_up(Core& core, const api::ApiModels& models) {
  classify_externals(core.image, models, core.library.saved());
  declare_synthetic(core.image);
  place_functions(core.image);
  for (std::size_t g = 0; g < core.image.program.globals.size(); ++g)
    place_global(core.image, core.memory, GlobalId(g));
  fill_globals(core);
  decode_program(core.image, models);
  start_main(core);
}

}  // namespace heddle::interpret
