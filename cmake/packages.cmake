# Debian packages by CPack, one for each component of an installation: "make deb", scripts/try_debian_packages.sh.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME tumble)
set(CPACK_PACKAGE_CONTACT "The tumble authors <authors@tumble.invalid>")  # Debian wants an address
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_DIRECTORY ${PROJECT_BINARY_DIR}/packages)
set(CPACK_PACKAGING_INSTALL_PREFIX ${CMAKE_INSTALL_PREFIX})
set(CPACK_STRIP_FILES ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_ALL libtumble dev tumble python)

# The first line of a description is its summary.
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "")
# Lines of a description have at most 80 characters.
set(about "tumble tells whether triangle meshes that move touch, where, how far apart
they are and how deep they are in each other: exactly, or within a budget of
time with what is certain by then.")

set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${PROJECT_BINARY_DIR}/src)  # our own libraries

set(ours "libtumble (= ${PROJECT_VERSION})")
set(CPACK_DEBIAN_LIBTUMBLE_PACKAGE_NAME libtumble)
set(CPACK_DEBIAN_LIBTUMBLE_PACKAGE_SHLIBDEPS ON)
set(CPACK_COMPONENT_LIBTUMBLE_DESCRIPTION "exact collision detection of triangle meshes: shared libraries
${about}
.
These are the libraries that programs are linked with.")

set(CPACK_DEBIAN_DEV_PACKAGE_NAME libtumble-dev)
set(CPACK_DEBIAN_DEV_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEV_PACKAGE_DEPENDS ${ours})
set(CPACK_COMPONENT_DEV_DESCRIPTION "exact collision detection of triangle meshes: development files
${about}
.
These are the headers for C++20, a CMake package and files for pkg-config.")

set(CPACK_DEBIAN_TUMBLE_PACKAGE_NAME tumble)
set(CPACK_DEBIAN_TUMBLE_PACKAGE_SECTION science)
set(CPACK_DEBIAN_TUMBLE_PACKAGE_DEPENDS ${ours})
set(CPACK_DEBIAN_TUMBLE_PACKAGE_SHLIBDEPS ON)
set(CPACK_COMPONENT_TUMBLE_DESCRIPTION "exact collision detection of triangle meshes: the command
${about}
.
The command asks about two meshes, flights along a path, robots in many
configurations and the clashes of assemblies, and writes JSON, CSV and pages
to look at.")

if(TARGET _tumble)
  get_directory_property(minor DIRECTORY python DEFINITION Python_VERSION_MINOR)
  math(EXPR next "${minor} + 1")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-tumble)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS
      "${ours}, python3-numpy, python3 (>= 3.${minor}~), python3 (<< 3.${next})")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_SHLIBDEPS ON)
  set(CPACK_COMPONENT_PYTHON_DESCRIPTION "exact collision detection of triangle meshes: the Python module
${about}
.
The module asks the same of NumPy arrays.")
else()
  list(REMOVE_ITEM CPACK_COMPONENTS_ALL python)
endif()
include(CPack)
