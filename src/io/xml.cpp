// SPDX-License-Identifier: Apache-2.0
// Reads XML with Expat, which is strict about what is well-formed and knows the line of everything.
#include "io/xml.h"

#include "io/text.h"

#include <expat.h>

#include <exception>
#include <memory>
#include <type_traits>

namespace tumble::io {
namespace {

constexpr std::size_t deepest = 128, largest = std::size_t{16} << 20;

/// Builds the elements while Expat calls back. Nothing may be thrown through its C code: the first failure stops it.
class XmlBuilder {
 public:
  explicit XmlBuilder(const Source& source) : source_(source), parser_(XML_ParserCreate(nullptr), XML_ParserFree) {
    if (!parser_) throw std::bad_alloc();
    XML_SetUserData(parser_.get(), this);
    XML_SetElementHandler(
        parser_.get(),
        [](void* self, const char* name, const char** attributes) {
          static_cast<XmlBuilder*>(self)->guarded([&](XmlBuilder& b) { b.open(name, attributes); });
        },
        [](void* self, const char*) {
          static_cast<XmlBuilder*>(self)->guarded([](XmlBuilder& b) { b.open_.pop_back(); });
        });
    XML_SetStartDoctypeDeclHandler(parser_.get(), [](void* self, const char*, const char*, const char*, int) {
      static_cast<XmlBuilder*>(self)->guarded(
          [](XmlBuilder& b) { b.fail("it has a DOCTYPE, which is not read; remove it", ErrorCode::unsupported); });
    });
  }

  XmlElement read() {
    if (source_.bytes.size() > largest)
      source_.fail("it has more than 16 MiB; that is too large for XML that describes a robot", ErrorCode::unsupported);
    const XML_Status status =
        XML_Parse(parser_.get(), source_.bytes.data(), static_cast<int>(source_.bytes.size()), XML_TRUE);
    if (failure_) std::rethrow_exception(failure_);
    if (status != XML_STATUS_OK)
      fail(std::string("malformed XML: ") + XML_ErrorString(XML_GetErrorCode(parser_.get())), ErrorCode::file_format);
    return std::move(root_.children.front());
  }

 private:
  template <class Work>
  void guarded(Work work) {
    if (failure_) return;  // Expat may call once more after it was stopped
    try {
      work(*this);
    } catch (...) {
      failure_ = std::current_exception();
      XML_StopParser(parser_.get(), XML_FALSE);
    }
  }

  std::int64_t line() const { return static_cast<std::int64_t>(XML_GetCurrentLineNumber(parser_.get())); }

  [[noreturn]] void fail(const std::string& what, ErrorCode code) const {
    throw Error(code, what, {.file = source_.name, .line = line()});
  }

  void open(const char* name, const char** attributes) {
    if (open_.size() > deepest)
      fail("elements are nested deeper than " + std::to_string(deepest) + " levels", ErrorCode::unsupported);
    // Children of an open element's siblings are complete, so no pointer in open_ moves.
    XmlElement& element = open_.back()->children.emplace_back();
    element.name = name;
    element.line = line();
    for (const char** a = attributes; *a; a += 2) element.attributes.emplace_back(a[0], a[1]);
    open_.push_back(&element);
  }

  const Source& source_;
  std::unique_ptr<std::remove_pointer_t<XML_Parser>, decltype(&XML_ParserFree)> parser_;
  XmlElement root_;
  std::vector<XmlElement*> open_{&root_};
  std::exception_ptr failure_;
};

}  // namespace

const std::string* XmlElement::attribute(std::string_view wanted) const {
  for (const auto& [key, value] : attributes)
    if (key == wanted) return &value;
  return nullptr;
}

const XmlElement* XmlElement::child(std::string_view wanted) const {
  for (const XmlElement& element : children)
    if (element.name == wanted) return &element;
  return nullptr;
}

XmlElement read_xml(const Source& source) { return XmlBuilder(source).read(); }

void fail_at(const Source& source, const XmlElement& element, const std::string& what, ErrorCode code) {
  throw Error(code, what, {.file = source.name, .line = element.line});
}

const std::string& required_attribute(const Source& source, const XmlElement& element, std::string_view name) {
  const std::string* value = element.attribute(name);
  if (!value) fail_at(source, element, "<" + element.name + "> has no " + std::string(name));
  return *value;
}

bool read_numbers(const Source& source, const XmlElement& element, std::string_view attribute,
                  std::span<double> values) {
  const std::string* text = element.attribute(attribute);
  if (!text) return false;
  const char *at = text->data(), *const end = at + text->size();
  const auto skip_space = [&] {
    while (at != end && is_space(*at)) ++at;
  };
  bool good = true;
  for (double& value : values) {
    skip_space();
    if (end - at > 1 && *at == '+' && at[1] != '-') ++at;  // some exporters write it
    const auto [stop, error] = fast_float::from_chars(at, end, value);
    good = good && error == std::errc() && std::isfinite(value) && (stop == end || is_space(*stop));
    at = stop;
  }
  skip_space();
  if (!good || at != end)
    fail_at(source, element,
            "<" + element.name + ">: " + std::string(attribute) + " must be " +
                (values.size() == 1 ? "one finite number" : std::to_string(values.size()) + " finite numbers") +
                ", not '" + text->substr(0, 60) + "'");
  return true;
}

}  // namespace tumble::io
