# SPDX-License-Identifier: BSD-3-Clause
# Install, find_package(hamel), pkg-config, manual page and completions.
include(CMakePackageConfigHelpers)

set(HAMEL_CMAKE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/hamel)
install(TARGETS hamel hamel_core EXPORT hamelTargets
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS hamel_program RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})

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
if(NOT CMAKE_CROSSCOMPILING AND NOT HAMEL_SANITIZE)  # they run the program
  hamel_install_words(man/man1/hamel.1 help --man)
  hamel_install_words(bash-completion/completions/hamel completion bash)
  hamel_install_words(zsh/site-functions/_hamel completion zsh)
  hamel_install_words(fish/vendor_completions.d/hamel.fish completion fish)
endif()

install(DIRECTORY include/hamel DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(FILES ${CMAKE_BINARY_DIR}/generated/hamel/runs/methods.hpp
              ${CMAKE_BINARY_DIR}/generated/hamel/runs/frame_methods.hpp
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/hamel/runs)
install(EXPORT hamelTargets NAMESPACE hamel:: DESTINATION ${HAMEL_CMAKE_DIR})
configure_package_config_file(cmake/hamelConfig.cmake.in ${CMAKE_BINARY_DIR}/hamelConfig.cmake
                              INSTALL_DESTINATION ${HAMEL_CMAKE_DIR})
write_basic_package_version_file(${CMAKE_BINARY_DIR}/hamelConfigVersion.cmake
                                 COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/hamelConfig.cmake ${CMAKE_BINARY_DIR}/hamelConfigVersion.cmake
        DESTINATION ${HAMEL_CMAKE_DIR})
string(REPLACE ";" " " HAMEL_HDF5_LINE "${HDF5_C_LIBRARIES}")
configure_file(cmake/hamel.pc.in ${CMAKE_BINARY_DIR}/hamel.pc @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/hamel.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
