# SPDX-License-Identifier: BSD-3-Clause
# The examples of the documentation. What its pages show as C++ is compiled, as it stands there; the
# rest is run by examples.py, whose head says how blocks are marked.

set(docs_dir ${CMAKE_BINARY_DIR}/docs_examples)
set(CMAKE_EXPORT_COMPILE_COMMANDS OFF)  # some files are compiled a second time: not for the linter
set(docs_script ${CMAKE_CURRENT_SOURCE_DIR}/docs/examples.py)

# hamel_docs_files(PAGE FILE...): the blocks of a page that are those files, written out.
function(hamel_docs_files page)
  list(TRANSFORM ARGN PREPEND ${docs_dir}/source/ OUTPUT_VARIABLE files)
  add_custom_command(OUTPUT ${files}
    COMMAND Python3::Interpreter ${docs_script} --extract ${CMAKE_SOURCE_DIR}/${page}
            ${docs_dir}/source
    DEPENDS ${CMAKE_SOURCE_DIR}/${page} ${docs_script} ${CMAKE_SOURCE_DIR}/tools/pages.py
    COMMENT "Examples of ${page}")
endfunction()

# hamel_docs_program(NAME LIBRARY...): a program of one block, docs_dir/NAME.
function(hamel_docs_program name)
  add_executable(${name} ${docs_dir}/source/${name}.cpp)
  target_compile_options(${name} PRIVATE -O1)
  target_link_libraries(${name} PRIVATE ${ARGN} hamel_build_flags)
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${docs_dir})
endfunction()

# hamel_docs_insert(TEXT PLACE ADDITION): puts the addition behind the place, which must be there.
macro(hamel_docs_insert text place addition)
  string(FIND "${${text}}" "${place}" found)
  if(found EQUAL -1)
    message(FATAL_ERROR "tests/docs/docs.cmake: no '${place}' in a generated list")
  endif()
  string(REPLACE "${place}" "${place}${addition}" ${text} "${${text}}")
endmacro()

hamel_docs_files(README.md ten_lines_of_readme.cpp)
hamel_docs_program(ten_lines_of_readme hamel_core)

# docs_hamel: the program with the worked system and method of add_a_system.md and add_a_method.md
# in its lists, as it would be with their headers in include/.
hamel_docs_files(docs/add_a_system.md include/hamel/systems/elastic_pendulum.hpp
                 tests/systems/elastic_pendulum_test.cpp outside.cpp only_runs.cpp)
hamel_docs_files(docs/add_a_method.md include/hamel/methods/frames/theta_midpoint.hpp
                 tests/integrators/theta_midpoint_test.cpp)
file(READ ${CMAKE_BINARY_DIR}/generated/hamel/runs/frame_methods.hpp docs_list)
hamel_docs_insert(docs_list "#include <tuple>\n"
                  "#include \"hamel/methods/frames/theta_midpoint.hpp\"\n")
hamel_docs_insert(docs_list "AllFrameMethods = std::tuple<" "FrameThetaMidpoint, ")
file(CONFIGURE OUTPUT ${docs_dir}/generated/hamel/runs/frame_methods.hpp
     CONTENT "${docs_list}" @ONLY)
file(READ ${CMAKE_BINARY_DIR}/generated/builtin_registry.cpp docs_list)
hamel_docs_insert(docs_list "namespace hamel {\n" "SystemEntry entry_of_elastic_pendulum();\n")
hamel_docs_insert(docs_list "Registry registry;\n"
                  "  registry.add(entry_of_elastic_pendulum());\n")
file(CONFIGURE OUTPUT ${docs_dir}/generated/builtin_registry.cpp CONTENT "${docs_list}" @ONLY)
file(CONFIGURE OUTPUT ${docs_dir}/generated/system_elastic_pendulum.cpp CONTENT
"#include \"hamel/systems/elastic_pendulum.hpp\"

#include \"hamel/catalogue/make_frame_entry.hpp\"

namespace hamel {
SystemEntry entry_of_elastic_pendulum() {
  return make_entry<ElasticPendulum>(\"elastic_pendulum\");
}
}  // namespace hamel
")
# Compiled anew: what knows the list of methods.
file(GLOB docs_lists CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/runs/*.cpp)
foreach(file ${docs_lists})
  file(STRINGS ${file} found REGEX "hamel/runs/frame_methods\\.hpp")
  if(NOT found)
    list(REMOVE_ITEM docs_lists ${file})
  endif()
endforeach()
add_library(docs_worked OBJECT ${docs_lists}
  ${docs_dir}/generated/builtin_registry.cpp ${docs_dir}/generated/system_elastic_pendulum.cpp
  ${docs_dir}/source/include/hamel/systems/elastic_pendulum.hpp
  ${docs_dir}/source/include/hamel/methods/frames/theta_midpoint.hpp)
target_include_directories(docs_worked BEFORE PRIVATE ${docs_dir}/generated
                           ${docs_dir}/source/include)
target_compile_options(docs_worked PRIVATE -O1)
target_link_libraries(docs_worked PUBLIC hamel PRIVATE hamel_build_flags)

add_executable(docs_hamel $<TARGET_OBJECTS:hamel_program> $<TARGET_OBJECTS:docs_worked>)
target_link_libraries(docs_hamel PRIVATE hamel CLI11::CLI11 hamel_build_flags)
set_target_properties(docs_hamel PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${docs_dir})

hamel_docs_program(outside hamel)
hamel_docs_program(only_runs hamel_runs)
target_include_directories(outside PRIVATE ${docs_dir}/source/include/hamel/systems)

add_executable(docs_worked_tests $<TARGET_OBJECTS:docs_worked>
  ${docs_dir}/source/tests/systems/elastic_pendulum_test.cpp
  ${docs_dir}/source/tests/integrators/theta_midpoint_test.cpp simulation/laws_test.cpp
  simulation/allocations.cpp simulation/law_cases.cpp simulation/round_off.cpp
  systems/catalogue.cpp)
target_include_directories(docs_worked_tests BEFORE PRIVATE ${docs_dir}/source/include
                           ${CMAKE_CURRENT_SOURCE_DIR} ${CMAKE_CURRENT_SOURCE_DIR}/systems)
target_compile_definitions(docs_worked_tests PRIVATE
                           HAMEL_GOLDEN_DIR="${CMAKE_CURRENT_SOURCE_DIR}/golden")
target_compile_options(docs_worked_tests PRIVATE -O1)
target_link_libraries(docs_worked_tests PRIVATE hamel hamel_build_flags GTest::gtest_main)
set_target_properties(docs_worked_tests PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${docs_dir})

# Their own tests, and the laws: what every method, the new one too, claims of the new system.
add_test(NAME docs.worked COMMAND docs_worked_tests --gtest_brief=1
  "--gtest_filter=ElasticPendulum.*:FrameThetaMidpoint.*:All/Laws.*/elastic_pendulum_*")

set(docs_command Python3::Interpreter ${docs_script})
set(docs_arguments $<TARGET_FILE:hamel_program> ${CMAKE_SOURCE_DIR} ${docs_dir})
add_test(NAME docs.examples
  COMMAND ${docs_command} ${docs_arguments} README.md "docs/*.md" "docs/methods/*.md"
          "docs/methods/*/*.md" "docs/equations/*.md")
add_test(NAME docs.systems COMMAND ${docs_command} ${docs_arguments} "docs/systems/*.md")
add_test(NAME docs.sketches COMMAND Python3::Interpreter ${CMAKE_SOURCE_DIR}/docs/figures/draw.py --check)
set_tests_properties(docs.sketches PROPERTIES LABELS docs)
add_test(NAME docs.files
  COMMAND Python3::Interpreter ${CMAKE_CURRENT_SOURCE_DIR}/docs/json_keys.py
          $<TARGET_FILE:hamel_program> ${CMAKE_SOURCE_DIR})
add_test(NAME docs.faults
  COMMAND Python3::Interpreter ${CMAKE_CURRENT_SOURCE_DIR}/docs/faults.py
          $<TARGET_FILE:hamel_program> ${CMAKE_SOURCE_DIR})
add_test(NAME docs.measured
  COMMAND Python3::Interpreter ${CMAKE_CURRENT_SOURCE_DIR}/docs/measured.py
          $<TARGET_FILE:hamel_program> ${CMAKE_SOURCE_DIR})
add_test(NAME docs.release
  COMMAND Python3::Interpreter ${CMAKE_CURRENT_SOURCE_DIR}/docs/release.py ${CMAKE_SOURCE_DIR})
add_test(NAME docs.tags
  COMMAND Python3::Interpreter ${CMAKE_CURRENT_SOURCE_DIR}/docs/tags.py ${CMAKE_SOURCE_DIR})
# With h5py, which only ./test --full installs.
add_test(NAME full.docs_modules COMMAND ${docs_command} --modules ${docs_arguments} docs/start.md)
set_tests_properties(docs.worked docs.examples docs.systems docs.files docs.faults docs.measured docs.release docs.tags
  PROPERTIES LABELS docs TIMEOUT 300)
set_tests_properties(full.docs_modules PROPERTIES LABELS full TIMEOUT 300)
