# SPDX-License-Identifier: BSD-3-Clause
# Compiles the scenarios of a folder into a target: a function ${function}() that returns the list of
# their names and texts, declared in ${header}.
function(hamel_embed_scenarios target folder function header)
  file(GLOB files CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/${folder}/*.toml)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${files})
  set(entries "")
  foreach(path ${files})
    get_filename_component(name ${path} NAME_WE)
    file(READ ${path} text)
    string(APPEND entries "    {\"${name}\", R\"toml(${text})toml\"},\n")
  endforeach()
  file(GENERATE OUTPUT ${CMAKE_BINARY_DIR}/generated/${function}.cpp CONTENT
"// Generated from ${folder}.
#include \"${header}\"

namespace hamel::app {

const std::vector<EmbeddedScenario>& ${function}() {
  static const std::vector<EmbeddedScenario> list = {
${entries}  };
  return list;
}

}  // namespace hamel::app
")
  target_sources(${target} PRIVATE ${CMAKE_BINARY_DIR}/generated/${function}.cpp)
  target_include_directories(${target} PRIVATE ${CMAKE_SOURCE_DIR}/apps/hamel)
endfunction()
