# Install, find_package(hamel) and pkg-config.
include(CMakePackageConfigHelpers)

set(HAMEL_CMAKE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/hamel)
install(TARGETS hamel hamel_core EXPORT hamelTargets
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS hamel_program RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(DIRECTORY include/hamel DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(FILES ${CMAKE_BINARY_DIR}/generated/hamel/simulation/methods.hpp
              ${CMAKE_BINARY_DIR}/generated/hamel/simulation/frame_methods.hpp
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/hamel/simulation)
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
