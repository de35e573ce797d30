# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Warnings are errors for our own code only; headers of others come in as SYSTEM.
add_library(heddle_warnings INTERFACE)
target_compile_options(heddle_warnings INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion -Wnon-virtual-dtor -Wold-style-cast -Werror)
