# SPDX-License-Identifier: Apache-2.0
# The hash that the journal's rows are kept under follows everything that measures, and how it is compiled.
set(source ${FOLDER}/source)
file(REMOVE_RECURSE ${FOLDER})
foreach(file src/CMakeLists.txt src/a.cpp include/a.h scenes/a.cpp lab/contest.cpp lab/kernels.cpp lab/kernels.h
             lab/plot.cpp lab/rivals/ode.cpp lab/rivals/CMakeLists.txt lab/experiments/speed.cpp)
  file(WRITE ${source}/${file} "as it was\n")
  list(APPEND files ${file})
endforeach()

function(code_hash variable build)
  execute_process(COMMAND ${CMAKE_COMMAND} -DSOURCE=${source} -DHEADER=${FOLDER}/commit.h "-DBUILD=${build}"
                          -P ${SCRIPT} COMMAND_ERROR_IS_FATAL ANY)
  file(STRINGS ${FOLDER}/commit.h line REGEX TUMBLE_CODE_HASH)
  set(${variable} "${line}" PARENT_SCOPE)
endfunction()

code_hash(before "Release -O3")
code_hash(debug "Debug -O0")
if(before STREQUAL debug)
  message(FATAL_ERROR "the hash does not tell builds apart: ${before}")
endif()
foreach(file ${files})
  file(WRITE ${source}/${file} "changed\n")
  code_hash(after "Release -O3")
  file(WRITE ${source}/${file} "as it was\n")
  if(file MATCHES "plot|experiments")  # shows rows only; has a hash of its own
    if(NOT before STREQUAL after)
      message(FATAL_ERROR "the hash changes with ${file}: ${before}, ${after}")
    endif()
  elseif(before STREQUAL after)
    message(FATAL_ERROR "the hash does not change with ${file}: ${before}")
  endif()
endforeach()
file(REMOVE_RECURSE ${FOLDER})
