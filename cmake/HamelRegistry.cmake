# SPDX-License-Identifier: BSD-3-Clause
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

# Writes generated/hamel/runs/${file}.hpp: the methods of include/hamel/methods/${folder} as
# the tuple All${prefix}Methods; their types are called ${prefix}NAME.
function(hamel_generate_methods folder prefix file summary)
  file(GLOB headers RELATIVE ${CMAKE_SOURCE_DIR}/include CONFIGURE_DEPENDS
       ${CMAKE_SOURCE_DIR}/include/hamel/methods/${folder}/*.hpp)
  set(includes "")
  set(types "")
  foreach(header ${headers})
    get_filename_component(stem ${header} NAME_WE)
    hamel_camel_case(${stem} type)
    string(APPEND includes "#include \"${header}\"\n")
    list(APPEND types ${prefix}${type})
  endforeach()
  string(REPLACE ";" ", " types "${types}")
  file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/generated/hamel/runs/${file}.hpp CONTENT
"// Generated from include/hamel/methods/${folder}: ${summary}.
#pragma once

#include <tuple>

${includes}
namespace hamel {
using All${prefix}Methods = std::tuple<${types}>;
}  // namespace hamel
" @ONLY)
endfunction()

# Writes generated/hamel/runs/methods.hpp (AllMethods, on one sphere), those of the other
# families, one source per system and the function builtin_registry(); returns the sources
# in `out`.
function(hamel_generate_registry out)
  set(dir ${CMAKE_BINARY_DIR}/generated)
  file(GLOB methods RELATIVE ${CMAKE_SOURCE_DIR}/include CONFIGURE_DEPENDS
       ${CMAKE_SOURCE_DIR}/include/hamel/methods/*.hpp)
  set(includes "")
  set(types "")
  foreach(header ${methods})
    get_filename_component(stem ${header} NAME_WE)
    hamel_camel_case(${stem} type)
    string(APPEND includes "#include \"${header}\"\n")
    list(APPEND types ${type})
  endforeach()
  string(REPLACE ";" ", " types "${types}")
  file(CONFIGURE OUTPUT ${dir}/hamel/runs/methods.hpp CONTENT
"// Generated from include/hamel/methods: every method of the library.
#pragma once

#include <tuple>

${includes}
namespace hamel {
using AllMethods = std::tuple<${types}>;
}  // namespace hamel
" @ONLY)

  hamel_generate_methods(frames Frame frame_methods "every method on frame systems")
  hamel_generate_methods(spheres Spheres spheres_methods "every method on many spheres")

  file(GLOB systems RELATIVE ${CMAKE_SOURCE_DIR}/include CONFIGURE_DEPENDS
       ${CMAKE_SOURCE_DIR}/include/hamel/systems/*.hpp)
  set(sources "")
  set(alone "")
  set(declarations "")
  set(additions "")
  foreach(header ${systems})
    get_filename_component(stem ${header} NAME_WE)
    hamel_camel_case(${stem} type)
    # The family of one sphere compiles its methods with each system; the others need not.
    file(STRINGS ${CMAKE_SOURCE_DIR}/include/${header} on_sphere REGEX "models/sphere_system")
    file(STRINGS ${CMAKE_SOURCE_DIR}/include/${header} on_spheres REGEX "models/spheres_model")
    set(maker make_frame_entry)
    if(on_sphere)
      set(maker make_sphere_entry)
    elseif(on_spheres)
      set(maker make_spheres_entry)
    endif()
    file(CONFIGURE OUTPUT ${dir}/system_${stem}.cpp CONTENT
"// Generated: the system ${stem} with every method that fits it.
#include \"${header}\"

#include \"hamel/catalogue/${maker}.hpp\"

namespace hamel {
SystemEntry entry_of_${stem}() { return make_entry<${type}>(\"${stem}\"); }
}  // namespace hamel
" @ONLY)
    if(on_sphere)  # takes longest: begun first, and by itself
      list(PREPEND alone ${dir}/system_${stem}.cpp)
    else()
      list(APPEND sources ${dir}/system_${stem}.cpp)
    endif()
    string(APPEND declarations "SystemEntry entry_of_${stem}();\n")
    string(APPEND additions "  registry.add(entry_of_${stem}());\n")
  endforeach()
  file(CONFIGURE OUTPUT ${dir}/builtin_registry.cpp CONTENT
"// Generated from include/hamel/systems.
#include \"hamel/catalogue/registry.hpp\"

namespace hamel {
${declarations}
Registry builtin_registry() {
  Registry registry;
${additions}  return registry;
}
}  // namespace hamel
" @ONLY)
  list(APPEND alone ${dir}/builtin_registry.cpp)
  set_source_files_properties(${alone} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  set(${out} ${alone} ${sources} PARENT_SCOPE)
endfunction()
