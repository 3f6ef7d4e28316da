# SPDX-License-Identifier: BSD-3-Clause
# The kernels with lanes, once for each instruction set, each in a namespace of its own: see
# include/hamel/kernels/lanes/lane_kernels.hpp.
# No fused multiply-add: all sets give the same bits.
set(HAMEL_ISA_baseline)
set(HAMEL_ISA_avx2 -mavx2)
set(HAMEL_ISA_avx512 -mavx512f -mavx512vl -mavx512dq -mprefer-vector-width=512)

# Tells `target`, which chooses among them, what there is; `out`: the object libraries.
function(hamel_lane_kernels target out)
  set(sets baseline)
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    list(APPEND sets avx2 avx512)
    target_compile_definitions(${target} PRIVATE HAMEL_LANES_X86)
  endif()
  foreach(set ${sets})
    add_library(hamel_lanes_${set} OBJECT ${CMAKE_SOURCE_DIR}/src/kernels/lane_kernels.cpp
                                          ${CMAKE_SOURCE_DIR}/src/kernels/gauss_kernels.cpp
                                          ${CMAKE_SOURCE_DIR}/src/methods/ensemble_kernels.cpp)
    target_link_libraries(hamel_lanes_${set} PRIVATE hamel_core hamel_build_flags)
    target_compile_definitions(hamel_lanes_${set} PRIVATE HAMEL_ISA=${set} hamel=hamel_${set})
    target_compile_options(hamel_lanes_${set} PRIVATE ${HAMEL_ISA_${set}})
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
      # A vector of three registers is three registers, and not a place in memory: chains of an
      # ensemble take a tenth less time.
      target_compile_options(hamel_lanes_${set} PRIVATE
                             "SHELL:--param sra-max-scalarization-size-Ospeed=2048")
    endif()
  endforeach()
  list(TRANSFORM sets PREPEND hamel_lanes_)
  set(${out} ${sets} PARENT_SCOPE)
endfunction()
