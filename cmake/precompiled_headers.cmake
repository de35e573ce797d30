# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Parsing headers is most of a build. heddle_base precompiles the standard ones for every library that is compiled like
# it; the front end has its own with LLVM's, the program CLI11's, the unit tests GoogleTest's and the driver of explored
# programs one for code that may lie anywhere. Headers of ours are in none that a build after an edit uses: there, a
# missing #include of one is an error.
set(standard_headers
    <algorithm> <array> <cstdint> <functional> <map> <memory> <optional> <ranges> <set> <span> <string> <string_view>
    <unordered_map> <utility> <vector>)
# The same bytes each time, so that ccache can know them again.
set(CMAKE_PCH_INSTANTIATE_TEMPLATES ON)
add_compile_options("$<$<COMPILE_LANG_AND_ID:CXX,Clang>:SHELL:-Xclang -fno-pch-timestamp>")
