// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "api/object_size.h"

#include <algorithm>
#include <array>

namespace heddle::api {
namespace {

struct Row {
  LibraryType type;
  std::string_view name;
  std::int64_t bytes_64, bytes_32;
};

constexpr auto library_types = std::to_array<Row>({
    {LibraryType::Mutex, "mutex", 40, 24},
    {LibraryType::ReadWriteLock, "rwlock", 56, 32},
    {LibraryType::SpinLock, "spinlock", 4, 4},
    {LibraryType::Condition, "condition", 48, 48},
    {LibraryType::Semaphore, "semaphore", 32, 16},
    {LibraryType::Barrier, "barrier", 32, 20},
    {LibraryType::Once, "once", 4, 4},
    {LibraryType::Guard, "guard", 1, 1},
});

}  // namespace

std::int64_t bytes_of(LibraryType type, std::uint32_t pointer_bits) {
  const auto row = std::ranges::find(library_types, type, &Row::type);
  if (row == library_types.end()) return 1;
  return pointer_bits == 32 ? row->bytes_32 : row->bytes_64;
}

std::string_view to_text(LibraryType type) {
  const auto row = std::ranges::find(library_types, type, &Row::type);
  return row == library_types.end() ? "" : row->name;
}

std::optional<LibraryType> library_type(std::string_view name) {
  const auto row = std::ranges::find(library_types, name, &Row::name);
  return row == library_types.end() ? std::nullopt : std::optional(row->type);
}

std::string library_type_names() {
  std::string names = "one of";
  for (const Row& row : library_types)
    names += (row.type == library_types.front().type ? " " : ", ") + std::string(row.name);
  return names;
}

}  // namespace heddle::api
