# SPDX-License-Identifier: BSD-3-Clause
# Old paths of public headers, from forwarded_headers.txt, as headers that warn and include the new ones.
function(hamel_forward_headers)
  file(STRINGS ${CMAKE_SOURCE_DIR}/cmake/forwarded_headers.txt lines REGEX "^hamel/")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS
               ${CMAKE_SOURCE_DIR}/cmake/forwarded_headers.txt)
  foreach(line ${lines})
    string(REPLACE " " ";" paths ${line})
    list(GET paths 0 old)
    list(GET paths 1 new)
    file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/generated/${old} CONTENT
"// Generated: this header has moved.
#pragma once
#warning \"<${old}> is <${new}> now; the old path goes with version 0.4\"
#include \"${new}\"
" @ONLY)
  endforeach()
endfunction()
