# The lists of systems and methods, from the folders: one file each, `snake_case.hpp` defining the
# type of the same name in CamelCase. A typo is a compile error, not a missing entry.

function(hamel_camel_case stem out)
  string(REPLACE "_" ";" words ${stem})
  set(name "")
  foreach(word ${words})
    string(SUBSTRING ${word} 0 1 first)
    string(SUBSTRING ${word} 1 -1 rest)
    string(TOUPPER ${first} first)
    string(APPEND name ${first}${rest})
  endforeach()
  set(${out} ${name} PARENT_SCOPE)
endfunction()

# Writes generated/hamel/simulation/methods.hpp (AllMethods, on spheres) and frame_methods.hpp
# (AllFrameMethods; the types are called FrameNAME), one translation unit per system and
# the function builtin_registry(); returns the sources in `out`.
function(hamel_generate_registry out)
  set(dir ${CMAKE_BINARY_DIR}/generated)
  file(GLOB methods RELATIVE ${CMAKE_SOURCE_DIR}/include CONFIGURE_DEPENDS
       ${CMAKE_SOURCE_DIR}/include/hamel/integrators/*.hpp)
  set(includes "")
  set(types "")
  foreach(header ${methods})
    get_filename_component(stem ${header} NAME_WE)
    hamel_camel_case(${stem} type)
    string(APPEND includes "#include \"${header}\"\n")
    list(APPEND types ${type})
  endforeach()
  string(REPLACE ";" ", " types "${types}")
  file(CONFIGURE OUTPUT ${dir}/hamel/simulation/methods.hpp CONTENT
"// Generated from include/hamel/integrators: every method of the library.
#pragma once

#include <tuple>

${includes}
namespace hamel {
using AllMethods = std::tuple<${types}>;
}  // namespace hamel
" @ONLY)

  file(GLOB frame_methods RELATIVE ${CMAKE_SOURCE_DIR}/include CONFIGURE_DEPENDS
       ${CMAKE_SOURCE_DIR}/include/hamel/integrators/frames/*.hpp)
  set(includes "")
  set(types "")
  foreach(header ${frame_methods})
    get_filename_component(stem ${header} NAME_WE)
    hamel_camel_case(${stem} type)
    string(APPEND includes "#include \"${header}\"\n")
    list(APPEND types Frame${type})
  endforeach()
  string(REPLACE ";" ", " types "${types}")
  file(CONFIGURE OUTPUT ${dir}/hamel/simulation/frame_methods.hpp CONTENT
"// Generated from include/hamel/integrators/frames: every method on frame systems.
#pragma once

#include <tuple>

${includes}
namespace hamel {
using AllFrameMethods = std::tuple<${types}>;
}  // namespace hamel
" @ONLY)

  file(GLOB systems RELATIVE ${CMAKE_SOURCE_DIR}/include CONFIGURE_DEPENDS
       ${CMAKE_SOURCE_DIR}/include/hamel/systems/*.hpp)
  set(sources "")
  set(declarations "")
  set(additions "")
  foreach(header ${systems})
    get_filename_component(stem ${header} NAME_WE)
    hamel_camel_case(${stem} type)
    # The sphere family compiles its methods with each system; the frame family does not need them.
    file(STRINGS ${CMAKE_SOURCE_DIR}/include/${header} on_sphere REGEX "mechanics/sphere_system")
    set(maker make_frame_entry)
    if(on_sphere)
      set(maker make_sphere_entry)
    endif()
    file(CONFIGURE OUTPUT ${dir}/system_${stem}.cpp CONTENT
"// Generated: the system ${stem} with every method that fits it.
#include \"${header}\"

#include \"hamel/simulation/${maker}.hpp\"

namespace hamel {
SystemEntry entry_of_${stem}() { return make_entry<${type}>(\"${stem}\"); }
}  // namespace hamel
" @ONLY)
    list(APPEND sources ${dir}/system_${stem}.cpp)
    string(APPEND declarations "SystemEntry entry_of_${stem}();\n")
    string(APPEND additions "  registry.add(entry_of_${stem}());\n")
  endforeach()
  file(CONFIGURE OUTPUT ${dir}/builtin_registry.cpp CONTENT
"// Generated from include/hamel/systems.
#include \"hamel/simulation/registry.hpp\"

namespace hamel {
${declarations}
Registry builtin_registry() {
  Registry registry;
${additions}  return registry;
}
}  // namespace hamel
" @ONLY)
  list(APPEND sources ${dir}/builtin_registry.cpp)
  set(${out} ${sources} PARENT_SCOPE)
endfunction()
