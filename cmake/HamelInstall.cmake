# SPDX-License-Identifier: BSD-3-Clause
# Install, find_package(hamel), pkg-config, manual page and completions.
include(CMakePackageConfigHelpers)

set(HAMEL_CMAKE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/hamel)
set(HAMEL_LIBRARIES ${HAMEL_BUILT})
list(REMOVE_ITEM HAMEL_LIBRARIES hamel)
list(TRANSFORM HAMEL_LIBRARIES PREPEND hamel_)
if(TARGET hamel)
  list(APPEND HAMEL_LIBRARIES hamel)
endif()
install(TARGETS ${HAMEL_LIBRARIES} EXPORT hamelTargets
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
if(TARGET hamel_program)
  install(TARGETS hamel_program RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()

# What the program says of itself: the manual page, and completions where shells look for them.
function(hamel_install_words path)
  set(file ${CMAKE_BINARY_DIR}/share/${path})
  get_filename_component(folder ${file} DIRECTORY)
  add_custom_command(TARGET hamel_program POST_BUILD BYPRODUCTS ${file}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${folder}
    COMMAND hamel_program ${ARGN} > ${file})
  get_filename_component(place ${path} DIRECTORY)
  install(FILES ${file} DESTINATION ${CMAKE_INSTALL_DATADIR}/${place})
endfunction()
if(TARGET hamel_program AND NOT CMAKE_CROSSCOMPILING AND NOT HAMEL_SANITIZE)  # they run the program
  hamel_install_words(man/man1/hamel.1 help --man)
  hamel_install_words(bash-completion/completions/hamel completion bash)
  hamel_install_words(zsh/site-functions/_hamel completion zsh)
  hamel_install_words(fish/vendor_completions.d/hamel.fish completion fish)
endif()

install(DIRECTORY include/hamel DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(DIRECTORY ${CMAKE_BINARY_DIR}/generated/hamel DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT hamelTargets NAMESPACE hamel:: DESTINATION ${HAMEL_CMAKE_DIR})
configure_package_config_file(cmake/hamelConfig.cmake.in ${CMAKE_BINARY_DIR}/hamelConfig.cmake
                              INSTALL_DESTINATION ${HAMEL_CMAKE_DIR})
write_basic_package_version_file(${CMAKE_BINARY_DIR}/hamelConfigVersion.cmake
                                 COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/hamelConfig.cmake ${CMAKE_BINARY_DIR}/hamelConfigVersion.cmake
        DESTINATION ${HAMEL_CMAKE_DIR})
# What a static link names, the last part first.
set(HAMEL_LINKED ${HAMEL_LIBRARIES})
list(REMOVE_ITEM HAMEL_LINKED hamel_core)
list(REVERSE HAMEL_LINKED)
list(TRANSFORM HAMEL_LINKED PREPEND -l)
if("runs" IN_LIST HAMEL_BUILT)
  list(PREPEND HAMEL_LINKED -Wl,-u,hamel_lane_choice)
endif()
if("recording" IN_LIST HAMEL_BUILT)
  list(APPEND HAMEL_LINKED ${HDF5_C_LIBRARIES})
endif()
set(HAMEL_REQUIRED "")
if("runs" IN_LIST HAMEL_BUILT)
  list(APPEND HAMEL_REQUIRED fmt)
endif()
if("scenario" IN_LIST HAMEL_BUILT)
  list(APPEND HAMEL_REQUIRED tomlplusplus)
endif()
list(JOIN HAMEL_LINKED " " HAMEL_LINKED)
list(JOIN HAMEL_REQUIRED " " HAMEL_REQUIRED)
configure_file(cmake/hamel.pc.in ${CMAKE_BINARY_DIR}/hamel.pc @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/hamel.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
