// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the program does not declare and still meets at run time: virtual functions of the library's classes, and the
// standard streams as objects. Functions get identities behind the program's own.
#pragma once
#include "interpret/core/core.h"

namespace heddle::interpret {

/// Adds the functions to the image; only for a program that uses C++.
void declare_synthetic(Image& image);
/// Fills the virtual table of an exception class of the library; `type`: the address of its type information.
void fill_table(const Image& image, Object& object, std::string_view name, Address type);

/// std::cout and its like, with the layout that libstdc++ has with 64 bit pointers: {virtual table, std::ios}. Inline
/// code looks at the flags, the width and the table that widens characters.
class StreamMaker {
 public:
  explicit StreamMaker(Memory& memory) : memory_(memory) {}
  void fill(ObjectId stream);

 private:
  void make_facets();
  Memory& memory_;
  ObjectId table_ = 0, ctype_ = 0;  ///< all streams share them
};

}  // namespace heddle::interpret
