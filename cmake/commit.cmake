# Writes HEADER with the commit of SOURCE and a hash of the library's and the scenes' sources. Run at every build; the
# file is touched only when something changed.
cmake_minimum_required(VERSION 3.25)
set(commit unknown)
find_package(Git QUIET)
if(Git_FOUND)
  execute_process(COMMAND ${GIT_EXECUTABLE} -C ${SOURCE} rev-parse --short=10 HEAD OUTPUT_VARIABLE head
                  OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
  if(NOT failed)
    execute_process(COMMAND ${GIT_EXECUTABLE} -C ${SOURCE} status --porcelain -- src include scenes lab cli
                    OUTPUT_VARIABLE changed ERROR_QUIET)
    set(commit ${head})
    if(changed)
      string(APPEND commit "+")
    endif()
  endif()
endif()
file(GLOB_RECURSE sources LIST_DIRECTORIES false ${SOURCE}/src/*.cpp ${SOURCE}/src/*.h ${SOURCE}/include/*.h
     ${SOURCE}/scenes/*.cpp ${SOURCE}/scenes/*.h)
list(SORT sources)
set(all "")
foreach(file ${sources})
  file(SHA1 ${file} hash)
  string(APPEND all ${hash})
endforeach()
string(SHA1 code "${all}")
string(SUBSTRING ${code} 0 12 code)
set(text "// SPDX-License-Identifier: Apache-2.0\n// Written by cmake/commit.cmake.\n#define TUMBLE_COMMIT \"${commit}\"\n#define TUMBLE_CODE_HASH \"${code}\"\n")
file(CONFIGURE OUTPUT ${HEADER} CONTENT "${text}" @ONLY)
