# Writes HEADER with the commit of SOURCE, a hash of the sources that every experiment measures with and of BUILD, which
# says how they are compiled, and one of each experiment's own file. Run at every build; the file is touched only when
# something changed.
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
# Sets VARIABLE to one hash of the text and all the files.
function(hash_of variable text)
  set(all "${text}")
  foreach(file ${ARGN})
    file(SHA1 ${file} hash)
    string(APPEND all ${hash})
  endforeach()
  string(SHA1 code "${all}")
  string(SUBSTRING ${code} 0 12 code)
  set(${variable} ${code} PARENT_SCOPE)
endfunction()
file(GLOB_RECURSE sources LIST_DIRECTORIES false ${SOURCE}/src/*.cpp ${SOURCE}/src/*.h ${SOURCE}/src/CMakeLists.txt
     ${SOURCE}/include/*.h ${SOURCE}/scenes/*.cpp ${SOURCE}/scenes/*.h
     ${SOURCE}/lab/rivals/*.cpp ${SOURCE}/lab/rivals/*.h ${SOURCE}/lab/rivals/CMakeLists.txt)
# The others in lab/ only show rows, or are programs of their own.
foreach(part contest experiment flown instruction_limit kernels machine moved_copy moving_boxes plain_walk real_parts
             turns)
  file(GLOB measuring ${SOURCE}/lab/${part}.cpp ${SOURCE}/lab/${part}.h)
  list(APPEND sources ${measuring})
endforeach()
list(SORT sources)
hash_of(code "${BUILD}" ${sources})
file(GLOB experiments ${SOURCE}/lab/experiments/*.cpp)
list(SORT experiments)
set(by_file "")
foreach(file ${experiments})
  hash_of(own "" ${file})
  get_filename_component(name ${file} NAME)
  string(APPEND by_file "{\"${name}\", \"${own}\"}, ")
endforeach()
set(text "// SPDX-License-Identifier: Apache-2.0\n// Written by cmake/commit.cmake.\n#define TUMBLE_COMMIT \"${commit}\"\n#define TUMBLE_CODE_HASH \"${code}\"\n#define TUMBLE_EXPERIMENT_HASHES ${by_file}\n")
file(CONFIGURE OUTPUT ${HEADER} CONTENT "${text}" @ONLY)
