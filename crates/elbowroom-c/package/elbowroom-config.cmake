# find_package(elbowroom) gives two targets:
#   elbowroom::elbowroom   the shared library
#   elbowroom::static      the static one, with what it needs
get_filename_component(_elbowroom_prefix "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)

include(CMakeFindDependencyMacro)
find_dependency(Threads)

if(NOT TARGET elbowroom::elbowroom)
  add_library(elbowroom::elbowroom SHARED IMPORTED)
  set_target_properties(elbowroom::elbowroom PROPERTIES
    IMPORTED_LOCATION "${_elbowroom_prefix}/lib/libelbowroom_c${CMAKE_SHARED_LIBRARY_SUFFIX}"
    INTERFACE_INCLUDE_DIRECTORIES "${_elbowroom_prefix}/include")

  add_library(elbowroom::static STATIC IMPORTED)
  set_target_properties(elbowroom::static PROPERTIES
    IMPORTED_LOCATION "${_elbowroom_prefix}/lib/libelbowroom_c.a"
    INTERFACE_INCLUDE_DIRECTORIES "${_elbowroom_prefix}/include"
    INTERFACE_LINK_LIBRARIES "Threads::Threads;${CMAKE_DL_LIBS};m")
endif()
unset(_elbowroom_prefix)
