# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# What goes into an explored program: the run-time library that is linked into it, and the driver that it loads. Both
# are found beside heddle, or in lib/heddle. They run in a process of somebody else: no sanitizers, no shared C++
# library, no symbols that others could see.
file(GLOB runtime_sources CONFIGURE_DEPENDS runtime/*.c)
add_library(heddle_runtime STATIC ${runtime_sources})
set_target_properties(heddle_runtime PROPERTIES C_STANDARD 11 C_EXTENSIONS ON POSITION_INDEPENDENT_CODE ON
                                                UNITY_BUILD OFF ARCHIVE_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR})
target_compile_definitions(heddle_runtime PRIVATE _GNU_SOURCE)
target_compile_options(heddle_runtime PRIVATE -O2 -Wall -Wextra -Wshadow -Werror -fvisibility=hidden
                                              -fno-omit-frame-pointer -fexceptions
                                              -fno-sanitize=all -fno-stack-protector -g
                                              -ffile-prefix-map=${CMAKE_SOURCE_DIR}/runtime=heddle-runtime)

file(GLOB driver_sources CONFIGURE_DEPENDS runtime/driver/*.cpp src/explore/executor/*.cpp src/explore/clocks/*.cpp
     src/explore/search/*.cpp
     src/explore/prune/*.cpp src/explore/shares/*.cpp src/explore/work/*.cpp
     src/explore/watch/*.cpp src/explore/hunt/*.cpp
     src/explore/evidence/*.cpp src/explore/native/*.cpp)
add_library(heddle_driver SHARED ${driver_sources} src/race/schedule.cpp src/base/read_file.cpp src/base/write_file.cpp
                                 src/base/content_hash.cpp src/program/names/access_table.cpp
                                 src/base/machine/memory_limit.cpp src/base/machine/failure_words.cpp)
set_target_properties(heddle_driver PROPERTIES LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}
                                               CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
target_include_directories(heddle_driver PRIVATE ${CMAKE_SOURCE_DIR} ${CMAKE_SOURCE_DIR}/src)
target_compile_options(heddle_driver PRIVATE -O2 -fno-sanitize=all)
target_link_options(heddle_driver PRIVATE -static-libstdc++ -static-libgcc -fno-sanitize=all -Wl,--exclude-libs,ALL
                                          -Wl,-Bsymbolic -Wl,--no-undefined
                                          -Wl,--version-script=${CMAKE_SOURCE_DIR}/runtime/driver/exports.map)
target_link_libraries(heddle_driver PRIVATE heddle_warnings)
target_precompile_headers(heddle_driver PRIVATE ${standard_headers})

install(TARGETS heddle_runtime ARCHIVE DESTINATION lib/heddle)
install(TARGETS heddle_driver LIBRARY DESTINATION lib/heddle)
