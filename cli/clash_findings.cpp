// SPDX-License-Identifier: Apache-2.0
// Files for programs: JSON, CSV and JUnit's XML.
#include "cli/clash_findings.h"

#include "cli/text.h"

#include <fmt/format.h>

#include <algorithm>

namespace tumble::cli {
namespace {

constexpr const char* unknown_containment = "unknown: not closed";

Json to_json(const Finding& finding, const Parts& parts) {
  const Clash& clash = finding.clash;
  return {{"a", parts.parts[clash.a].name},
          {"b", parts.parts[clash.b].name},
          {"class", name(clash.kind)},
          {"contacts", clash.contacts},
          {"gap", or_null(clash.gap)},
          {"depth", clash.depth ? Json{clash.depth->lower, clash.depth->upper} : Json()},
          {"point", json_point(clash.point)},
          {"containment", clash.not_closed ? Json(unknown_containment) : Json()},
          {"allowed", finding.allowed},
          {"known", finding.known},
          {"fails", finding.fails}};
}

/// RFC 4180.
std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == text.npos) return text;
  std::string field = "\"";
  for (const char c : text) field += c == '"' ? std::string("\"\"") : std::string(1, c);
  return field + '"';
}

/// Names can be printed, so that only the marks of XML are left, and two characters that it does not allow.
std::string xml_text(std::string_view text) {
  std::string escaped;
  for (std::size_t i = 0; i < text.size(); ++i) switch (text[i]) {
      case '&': escaped += "&amp;"; break;
      case '<': escaped += "&lt;"; break;
      case '>': escaped += "&gt;"; break;
      case '"': escaped += "&quot;"; break;
      case '\'': escaped += "&apos;"; break;
      default:
        if (const std::string_view here = text.substr(i, 3); here == "\uFFFE" || here == "\uFFFF") {
          escaped += "\uFFFD";
          i += 2;
        } else {
          escaped += text[i];
        }
    }
  return escaped;
}

std::string in_words(const Clash& clash, const std::string& units) {
  const std::string unit = units.empty() ? "" : " " + units;
  std::string text = name(clash.kind);
  if (clash.depth) text += fmt::format(", from {} to {}{} deep", clash.depth->lower, clash.depth->upper, unit);
  if (clash.gap) text += fmt::format(", {}{} apart", *clash.gap, unit);
  if (clash.contacts) text += ", " + count(clash.contacts, "contact");
  text += fmt::format(", at ({}, {}, {})", clash.point.x, clash.point.y, clash.point.z);
  if (clash.not_closed) text += fmt::format("; containment {}", unknown_containment);
  return text;
}

}  // namespace

std::array<std::size_t, listed_classes> ClashFindings::per_class() const {
  std::array<std::size_t, listed_classes> counts{};
  for (const Finding& finding : pairs) ++counts[static_cast<std::size_t>(finding.clash.kind)];
  return counts;
}

std::size_t ClashFindings::count(bool Finding::*which) const {
  return static_cast<std::size_t>(std::ranges::count(pairs, true, which));
}

void write_json(Output& out, const ClashFindings& findings, const Json& options) {
  JsonDocument document(out, "clash/1");
  document.member("options", options);
  document.member("units", findings.parts.units.empty() ? Json() : Json(findings.parts.units));
  document.member("deflection", or_null(findings.deflection));
  document.list("parts", findings.parts.parts.size(), [&](std::size_t i) {
    const PlacedPart& part = findings.parts.parts[i];
    const PartFacts& facts = findings.facts[i];
    return Json{{"name", part.name},
                {"file", facts.file},
                {"group", part.group.empty() ? Json() : Json(part.group)},
                {"triangles", part.model.triangles().size()},
                {"closed", facts.closed},
                {"open_edges", facts.open_edges},
                {"size", facts.size}};
  });
  document.list("pairs", findings.pairs.size(),
                [&](std::size_t i) { return to_json(findings.pairs[i], findings.parts); });
  Json summary;
  const auto counts = findings.per_class();
  for (std::size_t i = 0; i < counts.size(); ++i) summary[name(static_cast<ClashClass>(i))] = counts[i];
  summary["clear"] = findings.clear;
  summary["allowed"] = findings.count(&Finding::allowed);
  summary["known"] = findings.count(&Finding::known);
  summary["fails"] = findings.count(&Finding::fails);
  document.member("summary", summary);
  document.end();
}

void write_csv(Output& out, const ClashFindings& findings) {
  out.write("part a,part b,class,contacts,gap,depth at least,depth at most,x,y,z,closed,allowed,known,fails,units\n");
  const auto yes = [](bool is) { return is ? "yes" : "no"; };
  for (const Finding& f : findings.pairs) {
    const Clash& c = f.clash;
    out.write(fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}\n", csv_field(findings.parts.parts[c.a].name),
                          csv_field(findings.parts.parts[c.b].name), name(c.kind), c.contacts,
                          c.gap ? fmt::to_string(*c.gap) : "", c.depth ? fmt::to_string(c.depth->lower) : "",
                          c.depth ? fmt::to_string(c.depth->upper) : "", c.point.x, c.point.y, c.point.z,
                          yes(!c.not_closed), yes(f.allowed), yes(f.known), yes(f.fails), findings.parts.units));
  }
}

void write_junit(Output& out, const ClashFindings& findings) {
  const auto skipped = std::ranges::count_if(findings.pairs, [](const Finding& f) { return f.allowed || f.known; });
  const std::string counts =
      fmt::format("name=\"tumble clash\" tests=\"{}\" failures=\"{}\" errors=\"0\" skipped=\"{}\"",
                  findings.pairs.size() + (findings.clear > 0), findings.count(&Finding::fails), skipped);
  out.write("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
  out.write(fmt::format("<testsuites {0}>\n<testsuite {0}>\n", counts));
  for (const Finding& finding : findings.pairs) {
    const Clash& clash = finding.clash;
    out.write(fmt::format("<testcase classname=\"tumble.clash.{}\" name=\"{} and {}\">",
                          clash.kind == ClashClass::too_close ? "too_close" : name(clash.kind),
                          xml_text(findings.parts.parts[clash.a].name), xml_text(findings.parts.parts[clash.b].name)));
    const std::string words = xml_text(in_words(clash, findings.parts.units));
    if (finding.fails)
      out.write(fmt::format("<failure type=\"{}\" message=\"{}\"/>", name(clash.kind), words));
    else if (finding.allowed || finding.known)
      out.write(fmt::format("<skipped message=\"{}: {}\"/>", finding.allowed ? "allowed" : "known", words));
    else
      out.write(fmt::format("<system-out>{}</system-out>", words));
    out.write("</testcase>\n");
  }
  // One for all of them; readers take a file without a case for a run that went wrong.
  if (findings.clear > 0)
    out.write(fmt::format("<testcase classname=\"tumble.clash.clear\" name=\"{}\"/>\n",
                          findings.pairs.empty() ? "all pairs" : "all other pairs"));
  out.write("</testsuite>\n</testsuites>\n");
}

}  // namespace tumble::cli
