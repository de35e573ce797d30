# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Warnings are errors for our own code only; headers of others come in as SYSTEM.
add_library(heddle_warnings INTERFACE)
target_compile_options(heddle_warnings INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion -Wnon-virtual-dtor -Wold-style-cast -Werror)
# Files that are compiled in one go are no reason to choose other names.
if(CMAKE_UNITY_BUILD)
  target_compile_options(heddle_warnings INTERFACE -Wno-shadow)
endif()
