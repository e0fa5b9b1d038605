// SPDX-License-Identifier: Apache-2.0
// tumble-step: reads a STEP file for tumble and writes its parts to standard output. It is a program of its own because
// OpenCASCADE takes long to load and may crash on a broken file; neither is to befall tumble.
#include "cli/step/wire.h"

#include <cstdio>
#include <exception>
#include <stdexcept>
#include <string>

namespace {

double number(const char* word) {
  std::size_t used = 0;
  const double value = std::stod(word, &used);
  if (word[used]) throw std::invalid_argument(word);
  return value;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fputs("usage: tumble-step FILE DEFLECTION|- ANGLE; tumble runs it to read STEP files\n", stderr);
    return 2;
  }
  try {
    tumble::StepOptions options{.angle = number(argv[3])};
    if (argv[2] != std::string_view("-")) options.deflection = number(argv[2]);
    const std::string bytes = tumble::cli::StepWriter().write(tumble::load_step(argv[1], options));
    if (std::fwrite(bytes.data(), 1, bytes.size(), stdout) == bytes.size() && std::fflush(stdout) == 0) return 0;
    std::fputs("tumble-step: cannot write\n", stderr);
  } catch (const tumble::Error& error) {
    std::fprintf(stderr, "%s\n", error.message().c_str());  // tumble names the file
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
  }
  return 2;
}
