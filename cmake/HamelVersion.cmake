# SPDX-License-Identifier: BSD-3-Clause
# Version, commit and compiler, embedded in the library and echoed in every result.
function(hamel_embed_version target)
  # Read from .git itself: the program's build does not need git.
  set(commit "unknown")
  set(git ${CMAKE_SOURCE_DIR}/.git)
  if(EXISTS ${git}/HEAD)
    file(READ ${git}/HEAD head)
    string(STRIP "${head}" head)
    if(head MATCHES "^ref: (.+)$")
      set(ref ${CMAKE_MATCH_1})
      set(head "")
      if(EXISTS ${git}/${ref})
        file(READ ${git}/${ref} head)
      elseif(EXISTS ${git}/packed-refs)
        file(STRINGS ${git}/packed-refs lines REGEX " ${ref}$")
        string(APPEND head "${lines}")
      endif()
    endif()
    if(head MATCHES "^([0-9a-f]+)")
      string(SUBSTRING "${CMAKE_MATCH_1}" 0 12 commit)
    endif()
  endif()
  file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/generated/version.cpp CONTENT
"#include \"hamel/runs/version.hpp\"

namespace hamel {
const char* version() { return \"@PROJECT_VERSION@\"; }
const char* commit() { return \"${commit}\"; }
const char* compiler() { return \"@CMAKE_CXX_COMPILER_ID@ @CMAKE_CXX_COMPILER_VERSION@\"; }
}  // namespace hamel
" @ONLY)
  target_sources(${target} PRIVATE ${CMAKE_BINARY_DIR}/generated/version.cpp)
endfunction()
