# Version, commit and compiler, embedded in the library and echoed in every result.
function(hamel_embed_version target)
  set(commit "unknown")
  find_package(Git QUIET)
  if(GIT_FOUND AND EXISTS ${CMAKE_SOURCE_DIR}/.git)
    execute_process(COMMAND ${GIT_EXECUTABLE} -C ${CMAKE_SOURCE_DIR} rev-parse --short=12 HEAD
                    OUTPUT_VARIABLE found OUTPUT_STRIP_TRAILING_WHITESPACE
                    RESULT_VARIABLE failed ERROR_QUIET)
    if(NOT failed)
      set(commit ${found})
    endif()
  endif()
  file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/generated/version.cpp CONTENT
"#include \"hamel/simulation/version.hpp\"

namespace hamel {
const char* version() { return \"@PROJECT_VERSION@\"; }
const char* commit() { return \"${commit}\"; }
const char* compiler() { return \"@CMAKE_CXX_COMPILER_ID@ @CMAKE_CXX_COMPILER_VERSION@\"; }
}  // namespace hamel
" @ONLY)
  target_sources(${target} PRIVATE ${CMAKE_BINARY_DIR}/generated/version.cpp)
endfunction()
