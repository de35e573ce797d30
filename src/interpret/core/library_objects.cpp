// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "interpret/core/library_objects.h"

namespace heddle::interpret {

ObjectId LibraryObjects::make(std::uint64_t size, ThreadIndex owner) {
  const ObjectId id = memory_.allocate({ObjectKind::Library, size, 16, owner, {}, 0, true});
  if (id == 0) account_.cap_reached("address space");
  return id;
}

ObjectId LibraryObjects::find_or_make(ThreadIndex index, std::uint32_t which, std::uint64_t size) {
  threads_.save(index);
  Thread& thread = threads_[index];
  for (const auto& [kind, object] : thread.library)
    if (kind == which) return object;
  const ObjectId object = make(size, index);
  thread.library.emplace_back(which, object);
  return object;
}

ObjectId LibraryObjects::of_thread(std::uint32_t which, std::uint64_t size) {
  return find_or_make(threads_.current(), which, size);
}

Slot LibraryObjects::key(std::uint32_t key) {
  const Slot variable = space_.pointer_to(of_thread(library::first_key + key, 4));
  space_.write_word(variable, 4, key);
  return variable;
}

Slot LibraryObjects::make_string(const std::string& text) {
  const ObjectId id = make(text.size() + 1, threads_.current());
  std::memcpy(memory_.object(id).data, text.data(), text.size());
  return space_.pointer_to(id);
}

}  // namespace heddle::interpret
