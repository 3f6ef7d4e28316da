# SPDX-License-Identifier: BSD-3-Clause
# Tests that run programs: the command line, an outside project, other compilers, long runs.

find_package(Python3 REQUIRED COMPONENTS Interpreter)
file(GLOB modules CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/program/test_*.py)
list(TRANSFORM modules REPLACE ".*/test_(.*)\\.py" "\\1")
list(REMOVE_ITEM modules program)
foreach(module ${modules})
  add_test(NAME program.${module}
    COMMAND Python3::Interpreter ${CMAKE_CURRENT_SOURCE_DIR}/program/test_program.py
            $<TARGET_FILE:hamel_program> ${CMAKE_SOURCE_DIR} ${module})
  set_tests_properties(program.${module} PROPERTIES LABELS program TIMEOUT 600)
  if(HAMEL_SANITIZE)  # slower, and with memory of its own
    set_tests_properties(program.${module} PROPERTIES TIMEOUT 3600 ENVIRONMENT HAMEL_SANITIZED=1)
  endif()
endforeach()
if(NOT HAMEL_SANITIZE)  # whose own library must come first
  add_library(interposed MODULE program/interposed.cpp)
  target_link_libraries(interposed PRIVATE hamel_build_flags ${CMAKE_DL_LIBS})
  set_tests_properties(program.moments PROPERTIES
    ENVIRONMENT HAMEL_INTERPOSED=$<TARGET_FILE:interposed>)
endif()
# Ten times as many kills in ./test --full; a table of them goes into the dated report.
add_test(NAME slow.kills
  COMMAND Python3::Interpreter ${CMAKE_CURRENT_SOURCE_DIR}/program/test_program.py
          $<TARGET_FILE:hamel_program> ${CMAKE_SOURCE_DIR} kills)
set_tests_properties(slow.kills PROPERTIES LABELS slow TIMEOUT 3600
  ENVIRONMENT "HAMEL_KILLS=300;HAMEL_RESULTS_DIR=${CMAKE_BINARY_DIR}/results")
add_test(NAME program.reproduce COMMAND hamel_program reproduce)
set_tests_properties(program.reproduce PROPERTIES LABELS program TIMEOUT 120)

add_test(NAME commit COMMAND ${CMAKE_COMMAND} -DSCRATCH=${CMAKE_BINARY_DIR}/commit_scratch
         -P ${CMAKE_CURRENT_SOURCE_DIR}/program/commit.cmake)
set_tests_properties(commit PROPERTIES LABELS program)

if(NOT HAMEL_SANITIZE)
  add_test(NAME consumer
    COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/consumer/run ${CMAKE_BINARY_DIR} ${CMAKE_SOURCE_DIR})
  set_tests_properties(consumer PROPERTIES LABELS program TIMEOUT 600)
  foreach(kind aarch64 baseline nvcc)
    add_test(NAME portability.${kind}
      COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/portability/run ${kind} ${CMAKE_SOURCE_DIR})
    set_tests_properties(portability.${kind} PROPERTIES
      LABELS program TIMEOUT 300 SKIP_RETURN_CODE 77)
  endforeach()
endif()

# Long runs: only in ./test --full. Each drops a table into results/ for the dated report.
hamel_tests(slow_tests SOURCES slow/long_runs_test.cpp LINK hamel LABELS slow)
target_compile_definitions(slow_tests PRIVATE HAMEL_RESULTS_DIR="${CMAKE_BINARY_DIR}/results")

# Examples are tests: they compile and print what their header says.
add_executable(example_ten_lines ${CMAKE_SOURCE_DIR}/examples/ten_lines.cpp)
target_link_libraries(example_ten_lines PRIVATE hamel_core hamel_build_flags)
add_test(NAME example.ten_lines COMMAND example_ten_lines)
set_tests_properties(example.ten_lines PROPERTIES LABELS program
  PASS_REGULAR_EXPRESSION "\\|q\\| - 1 = -?([0-9.]+e-1[5-9]|0.0e.00)\n")
