# What an installation holds: libraries, headers, the command, a CMake package and pkg-config files.
option(TUMBLE_INSTALL "Generate the install target" ${PROJECT_IS_TOP_LEVEL})
if(NOT TUMBLE_INSTALL)
  return()
endif()
include(CMakePackageConfigHelpers)

option(TUMBLE_DEBIAN "Install what Debian's policy asks of packages: a copyright for each, compressed manual pages" OFF)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/tumble)

# Components are the packages of cmake/packages.cmake: libtumble, dev, tumble and python.
set_target_properties(tumble tumble_io PROPERTIES VERSION ${PROJECT_VERSION}
                      # Below 1.0 a minor version may break the ABI.
                      SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
set_target_properties(tumble_io PROPERTIES INSTALL_RPATH "\$ORIGIN")
set(installed_libraries tumble tumble_io)
if(TARGET tumble_step)
  set_target_properties(tumble_step PROPERTIES VERSION ${PROJECT_VERSION} INSTALL_RPATH "\$ORIGIN"
                        SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
  list(APPEND installed_libraries tumble_step)
endif()
install(TARGETS ${installed_libraries} EXPORT tumble
        LIBRARY COMPONENT libtumble NAMELINK_COMPONENT dev
        ARCHIVE COMPONENT dev)
if(TARGET tumble_step)
  set(left_out)
else()
  set(left_out PATTERN step.h EXCLUDE)  # the header of a library that is not there
endif()
install(DIRECTORY include/tumble ${PROJECT_BINARY_DIR}/include/tumble DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
        COMPONENT dev FILES_MATCHING PATTERN "*.h" ${left_out})
if(TARGET tumble_cli)
  file(RELATIVE_PATH lib_from_bin /${CMAKE_INSTALL_BINDIR} /${CMAKE_INSTALL_LIBDIR})
  set_target_properties(tumble_cli PROPERTIES INSTALL_RPATH "\$ORIGIN/${lib_from_bin}")
  install(TARGETS tumble_cli COMPONENT tumble)
  if(TARGET tumble_step_program)
    set_target_properties(tumble_step_program PROPERTIES INSTALL_RPATH "\$ORIGIN/${lib_from_bin}")
    install(TARGETS tumble_step_program COMPONENT tumble)
  endif()
  if(NOT CMAKE_CROSSCOMPILING)
    set(TUMBLE_ZSH_DIR ${CMAKE_INSTALL_DATADIR}/zsh/site-functions CACHE STRING "Where zsh looks for completions, in the prefix")
    set(manual ${PROJECT_BINARY_DIR}/cli/manual)
    install(DIRECTORY ${manual}/man1 DESTINATION ${CMAKE_INSTALL_MANDIR} COMPONENT tumble)
    if(TUMBLE_DEBIAN)
      install(CODE "file(GLOB pages \$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_MANDIR}/man1/tumble*.1)
                    execute_process(COMMAND gzip -9nf \${pages} COMMAND_ERROR_IS_FATAL ANY)" COMPONENT tumble)
    endif()
    install(FILES ${manual}/bash/tumble DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions COMPONENT tumble)
    install(FILES ${manual}/zsh/_tumble DESTINATION ${TUMBLE_ZSH_DIR} COMPONENT tumble)
  endif()
endif()
install(FILES LICENSE NOTICE THIRD_PARTY.md DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT libtumble)
if(TUMBLE_DEBIAN)
  foreach(package libtumble:libtumble dev:libtumble-dev tumble:tumble python:python3-tumble)
    string(REPLACE ":" ";" package ${package})
    list(GET package 0 component)
    list(GET package 1 name)
    install(FILES cmake/debian_copyright RENAME copyright DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${name}
            COMPONENT ${component})
  endforeach()
endif()

# A static library hands its own dependencies to whoever links it; a shared one keeps them to itself. To pkg-config they
# are libraries only: required as packages, they would add their compiler flags to a program that includes none of them.
get_target_property(library_type tumble TYPE)
if(library_type STREQUAL "STATIC_LIBRARY")
  set(TUMBLE_IS_STATIC ON)
  set(pc_libs " -lhwy -ltbb -lqhull_r")
  set(pc_io_libs " -lexpat")
else()
  set(TUMBLE_IS_STATIC OFF)
  set(pc_libs "")
  set(pc_io_libs "")
endif()

install(EXPORT tumble NAMESPACE tumble:: FILE tumbleTargets.cmake DESTINATION ${package_dir} COMPONENT dev)
configure_package_config_file(cmake/tumbleConfig.cmake.in ${PROJECT_BINARY_DIR}/cmake/tumbleConfig.cmake
                              INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/cmake/tumbleConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/cmake/tumbleConfig.cmake ${PROJECT_BINARY_DIR}/cmake/tumbleConfigVersion.cmake
        DESTINATION ${package_dir} COMPONENT dev)

# pkg-config finds the prefix from where its file lies, so the tree may be moved.
file(RELATIVE_PATH pc_prefix /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
string(REGEX REPLACE "/$" "" pc_prefix "${pc_prefix}")
set(pc_names tumble tumble-io)
if(TARGET tumble_step)
  list(APPEND pc_names tumble-step)
  if(TUMBLE_IS_STATIC)
    get_target_property(step_links tumble_step LINK_LIBRARIES)
    list(FILTER step_links INCLUDE REGEX "^TK")
    list(TRANSFORM step_links PREPEND " -l")
    list(JOIN step_links "" pc_step_libs)
  endif()
endif()
foreach(name ${pc_names})
  configure_file(cmake/${name}.pc.in ${PROJECT_BINARY_DIR}/cmake/${name}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/cmake/${name}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT dev)
endforeach()
