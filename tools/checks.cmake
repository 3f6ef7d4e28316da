# SPDX-License-Identifier: BSD-3-Clause
# The repository's own checks as tests of ctest, so that one run of ctest tells all.
#
# Included by the main CMakeLists.txt, after enable_testing(), when HAMEL_TESTS is ON. They judge the
# sources, not a build: a build with sanitizers, or one inside another project, leaves them out.
#
# Label `full` marks what only ./test --full runs.

if(HAMEL_SANITIZE OR NOT PROJECT_IS_TOP_LEVEL)
  return()
endif()

set(tools "${PROJECT_SOURCE_DIR}/tools")

add_test(NAME check.format COMMAND "${tools}/format" --check)
add_test(NAME check.layers COMMAND "${tools}/check_layers")
add_test(NAME check.links COMMAND "${tools}/check_links")
add_test(NAME check.tags COMMAND "${tools}/check_tags")
add_test(NAME check.docs COMMAND "${tools}/docs")
add_test(NAME check.catalogue COMMAND "${tools}/catalogue" --check "$<TARGET_FILE:hamel_program>")
add_test(NAME check.mutations
  COMMAND "${tools}/check_mutations" --compiler "${CMAKE_CXX_COMPILER}"
          --cache "${PROJECT_BINARY_DIR}/mutations" --jobs 2 --each-tag --mutants-only)
add_test(NAME full.mutations
  COMMAND "${tools}/check_mutations" --compiler "${CMAKE_CXX_COMPILER}"
          --build "${PROJECT_BINARY_DIR}" --cache "${PROJECT_BINARY_DIR}/mutations" --jobs 2)
if(TARGET hamel_lanes_avx512)
  add_test(NAME check.isa COMMAND "${tools}/check_isa" $<TARGET_OBJECTS:hamel_lanes_avx2>
           $<TARGET_OBJECTS:hamel_lanes_avx512> COMMAND_EXPAND_LISTS)
  set_tests_properties(check.isa PROPERTIES LABELS check)
endif()
add_test(NAME check.golden COMMAND "${PROJECT_SOURCE_DIR}/tests/golden/recompute")
set_tests_properties(check.catalogue check.docs check.format check.layers check.links check.tags
  PROPERTIES LABELS check TIMEOUT 120)
set_tests_properties(check.docs PROPERTIES TIMEOUT 600)
set_tests_properties(check.golden PROPERTIES LABELS check TIMEOUT 300)
set_tests_properties(check.mutations PROPERTIES LABELS check TIMEOUT 900 PROCESSORS 2)

add_test(NAME sanitize.core
  COMMAND "${tools}/check_build" sanitize hamel_core_tests ctest-core.log --label-regex "^core$")
set_tests_properties(sanitize.core PROPERTIES
  LABELS check TIMEOUT 900 PROCESSORS 2 RESOURCE_LOCK build_sanitize)

add_test(NAME full.sanitize
  COMMAND "${tools}/check_build" sanitize all ctest-all.log --label-exclude "^slow$")
# Kernels and laws start no thread: what does is in the tests of runs, recordings and the program.
add_test(NAME full.thread
  COMMAND "${tools}/check_build" thread all ctest-all.log --label-exclude "^(slow|core)$"
          --exclude-regex "^(laws|maps)\\.")
add_test(NAME full.fuzz COMMAND "${tools}/fuzz" --seconds 60)
add_test(NAME full.certificates
  COMMAND "${tools}/certificates" $<TARGET_FILE:hamel_program>
          "${PROJECT_SOURCE_DIR}/docs/results/certificates")
add_test(NAME full.golden COMMAND "${PROJECT_SOURCE_DIR}/tests/golden/recompute" --all)
add_test(NAME full.tidy COMMAND "${tools}/check_tidy" "${PROJECT_BINARY_DIR}")
add_test(NAME full.shell COMMAND "${tools}/check_shell")
add_test(NAME full.measured
  COMMAND "${tools}/measured" --check --program $<TARGET_FILE:hamel_program> --jobs 2)
set_tests_properties(full.certificates full.fuzz full.golden full.measured full.mutations full.sanitize
  full.shell full.thread full.tidy
  PROPERTIES LABELS full TIMEOUT 7200)
set_tests_properties(full.certificates full.fuzz full.measured full.mutations full.sanitize full.thread full.tidy
  PROPERTIES PROCESSORS 2)
set_tests_properties(full.sanitize PROPERTIES RESOURCE_LOCK build_sanitize)
