# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Puts every models/*.toml and the C files beside them into heddle_api. The file does both halves: included, it
# declares the rule; run as a script (cmake -P) by that rule, it writes the source file. The output depends on the names
# and texts of the models only.
if(CMAKE_SCRIPT_MODE_FILE)
  file(GLOB models RELATIVE ${SOURCE} ${SOURCE}/models/*.toml ${SOURCE}/models/*.c ${SOURCE}/models/*/*.c
       ${SOURCE}/models/profiles/*.toml)
  list(SORT models)
  set(rows "")
  foreach(model IN LISTS models)
    file(READ ${SOURCE}/${model} text)
    string(FIND "${text}" ")heddle\"" delimiter)
    if(NOT delimiter EQUAL -1)
      message(FATAL_ERROR "${model} holds the end mark of the raw string it is embedded in")
    endif()
    string(APPEND rows "    {\"${model}\", R\"heddle(${text})heddle\"},\n")
  endforeach()
  file(WRITE ${OUTPUT} "// Written by cmake/embed_models.cmake from the files of models/.
#include \"api/models/embedded_models.h\"

namespace heddle::api {
namespace {
constexpr EmbeddedModel models[] = {
${rows}};
}  // namespace

std::span<const EmbeddedModel> embedded_models() { return models; }

}  // namespace heddle::api
")
  return()
endif()

file(GLOB model_files CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/models/*.toml ${CMAKE_CURRENT_SOURCE_DIR}/models/*.c
     ${CMAKE_CURRENT_SOURCE_DIR}/models/*/*.c ${CMAKE_CURRENT_SOURCE_DIR}/models/profiles/*.toml)
set(embedded_models ${CMAKE_CURRENT_BINARY_DIR}/generated/embedded_models.cpp)
add_custom_command(
  OUTPUT ${embedded_models}
  COMMAND ${CMAKE_COMMAND} -DSOURCE=${CMAKE_CURRENT_SOURCE_DIR} -DOUTPUT=${embedded_models}
          -P ${CMAKE_CURRENT_LIST_FILE}
  DEPENDS ${model_files} ${CMAKE_CURRENT_LIST_FILE}
  COMMENT "Embedding the files of models/"
  VERBATIM)
target_sources(heddle_api PRIVATE ${embedded_models})
