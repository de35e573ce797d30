// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Classes of C++ at run time, from the type information that the program carries; of the library's own exception
// classes the bases are known by name. Catch clauses and dynamic_cast ask here.
//
//   struct Derived : Base {};   ClassHierarchy(core).find(type of Derived, address, type of Base)  ->  where Base lies
#pragma once
#include <string_view>
#include <vector>

#include "interpret/core/core.h"

namespace heddle::interpret {

/// An exception class of the library. `text`: what its what() says; empty: the message it was made with.
struct LibraryClass {
  std::string_view name;  ///< mangled, as behind _ZTI
  std::string_view base;
  std::string_view text;
};

const LibraryClass* find_library_class(std::string_view name);
std::span<const LibraryClass> library_classes();

class ClassHierarchy {
 public:
  explicit ClassHierarchy(Core& core) : core_(core) {}

  /// Addresses of the public `wanted` parts of the object of class `type` at `object`, each once.
  std::vector<Address> find(Address type, Address object, Address wanted);

  [[nodiscard]] bool is_pointer(Address type) const;
  /// Whether a thrown pointer of type `type` is caught by a handler for pointers of type `wanted`; `value` becomes what
  /// that gets.
  bool convert_pointer(Address type, Address& value, Address wanted);

  /// Address that stands for a class of the library: the program's declaration of its type information, or an object of
  /// ours.
  Address library_type(std::string_view name);
  /// The first function pointer of its virtual table.
  Address library_table(std::string_view name);

 private:
  void visit(Address type, Address object, Address wanted, int depth, std::vector<Address>& found);
  void visit_library(std::string_view name, Address object, Address wanted, int depth, std::vector<Address>& found);
  [[nodiscard]] std::string_view name_of(Address type) const;  ///< behind _ZTI
  [[nodiscard]] std::string_view kind_of(const Global& global) const;
  Core& core_;
};

}  // namespace heddle::interpret
