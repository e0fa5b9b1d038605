// SPDX-License-Identifier: Apache-2.0
// tumble-step: reads a STEP file for tumble and writes its parts to standard output. It is a program of its own because
// OpenCASCADE takes long to load and may crash on a broken file; neither is to befall tumble.
#include "cli/step/wire.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <new>
#include <stdexcept>
#include <string>
#include <string_view>
#include <typeinfo>

#include <cxxabi.h>
#include <sys/resource.h>
#include <unistd.h>

namespace {

double number(const char* word) {
  std::size_t used = 0;
  const double value = std::stod(word, &used);
  if (word[used]) throw std::invalid_argument(word);
  return value;
}

/// A short file can ask for any amount of memory, and what is beyond the machine's would be taken from other programs.
void limit_memory() {
#ifdef TUMBLE_LIMIT_MEMORY
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) != 0) return;
  const rlim_t bytes = static_cast<rlim_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<rlim_t>(sysconf(_SC_PAGESIZE));
  limit.rlim_cur = std::min(limit.rlim_cur, bytes);
  setrlimit(RLIMIT_AS, &limit);
#endif
}

constexpr char no_memory[] = "OpenCASCADE needs more memory for it than there is; a larger deflection needs less\n";

/// OpenCASCADE also throws Standard_OutOfMemory where nothing may be thrown.
[[noreturn]] void end_for_want_of_memory() {
  const std::type_info* const thrown = abi::__cxa_current_exception_type();
  if (!thrown || !std::string_view(thrown->name()).ends_with("OutOfMemory")) std::abort();
  std::fputs(no_memory, stderr);
  _exit(2);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fputs("usage: tumble-step FILE DEFLECTION|- ANGLE; tumble runs it to read STEP files\n", stderr);
    return 2;
  }
  limit_memory();
  std::set_terminate(end_for_want_of_memory);
  try {
    tumble::StepOptions options{.angle = number(argv[3])};
    if (argv[2] != std::string_view("-")) options.deflection = number(argv[2]);
    const std::string bytes = tumble::cli::StepWriter().write(tumble::load_step(argv[1], options));
    if (std::fwrite(bytes.data(), 1, bytes.size(), stdout) == bytes.size() && std::fflush(stdout) == 0) return 0;
    std::fputs("tumble-step: cannot write\n", stderr);
  } catch (const tumble::Error& error) {
    std::fprintf(stderr, "%s\n", error.message().c_str());  // tumble names the file
  } catch (const std::bad_alloc&) {
    std::fputs(no_memory, stderr);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
  }
  return 2;
}
