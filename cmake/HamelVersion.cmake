# SPDX-License-Identifier: BSD-3-Clause
# Version, commit and compiler, embedded in the library and echoed in every result.

# hamel_commit(SOURCE RESULT): twelve digits of the commit that is checked out there, or "unknown". Read from
# git's files (gitrepository-layout(5)): the program's build does not need git.
function(hamel_commit source result)
  set(${result} "unknown" PARENT_SCOPE)
  set(git ${source}/.git)
  if(EXISTS ${git} AND NOT IS_DIRECTORY ${git})  # a linked worktree or a submodule: a file says where
    file(READ ${git} git)
    string(REGEX REPLACE "^gitdir: " "" git "${git}")
    string(STRIP "${git}" git)
    cmake_path(ABSOLUTE_PATH git BASE_DIRECTORY ${source})
  endif()
  if(NOT EXISTS ${git}/HEAD)
    return()
  endif()
  set(common ${git})  # where the branches are
  if(EXISTS ${git}/commondir)
    file(READ ${git}/commondir common)
    string(STRIP "${common}" common)
    cmake_path(ABSOLUTE_PATH common BASE_DIRECTORY ${git})
  endif()
  file(READ ${git}/HEAD head)
  string(STRIP "${head}" head)
  if(head MATCHES "^ref: (.+)$")
    set(ref ${CMAKE_MATCH_1})
    set(head "")
    if(EXISTS ${common}/${ref})
      file(READ ${common}/${ref} head)
    elseif(EXISTS ${common}/packed-refs)
      file(STRINGS ${common}/packed-refs head REGEX " ${ref}$")
    endif()
  endif()
  if(head MATCHES "^([0-9a-f]+)")
    string(SUBSTRING "${CMAKE_MATCH_1}" 0 12 head)
    set(${result} ${head} PARENT_SCOPE)
  endif()
endfunction()

function(hamel_embed_version target)
  hamel_commit(${CMAKE_SOURCE_DIR} commit)
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
