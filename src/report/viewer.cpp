// SPDX-License-Identifier: Apache-2.0
// Takes viewer/dist/page.html into the program (TUMBLE_VIEWER is its path) and finds the places for data in it.
#include "report/viewer.h"

#include "core/assert.h"

// By the assembler: a compiler would take a second for half a million characters.
__asm__(
    ".section .rodata\n"
    ".global tumble_viewer_begin\n"
    ".global tumble_viewer_end\n"
    "tumble_viewer_begin:\n"
    ".incbin \"" TUMBLE_VIEWER
    "\"\n"
    "tumble_viewer_end:\n"
    ".byte 0\n"
    ".text\n");
extern "C" const char tumble_viewer_begin[], tumble_viewer_end[];  // NOLINT(modernize-avoid-c-arrays)

namespace tumble {

ViewerParts viewer_parts() {
  constexpr std::string_view json_place = "{{REPORT_JSON}}", binary_place = "{{REPORT_BINARY}}";
  const std::string_view page(tumble_viewer_begin, static_cast<std::size_t>(tumble_viewer_end - tumble_viewer_begin));
  const std::size_t json = page.find(json_place), binary = page.find(binary_place);
  TUMBLE_ASSERT(json < binary && binary < page.size());
  const std::size_t between = json + json_place.size();
  return {page.substr(0, json), page.substr(between, binary - between), page.substr(binary + binary_place.size())};
}

}  // namespace tumble
