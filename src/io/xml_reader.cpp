// XML by expat: it streams, so that a model of gigabytes needs no tree in memory, and it knows the lines.
#include "io/xml_reader.hpp"

#include <expat.h>

#include <exception>
#include <new>
#include <string>
#include <string_view>
#include <utility>

namespace graze::io {
namespace {

constexpr char kBar = '|';                              // between namespace and name; expat refuses it in a namespace
constexpr std::size_t kLongest = std::size_t{1} << 20;  // bytes of a tag; a choice

XML_Parser parser_of(void* p) { return static_cast<XML_Parser>(p); }

}  // namespace

// No exception may pass through expat, which is C.
struct XmlReader::Calls {
  template <class F>
  static void guarded(void* data, F&& call) {
    XmlReader& reader = *static_cast<XmlReader*>(data);
    if (reader.error_ != nullptr) return;
    try {
      call(reader);
    } catch (...) {
      reader.error_ = std::current_exception();
      XML_StopParser(parser_of(reader.parser_), XML_FALSE);
    }
  }
  static void start(void* data, const char* name, const char** attributes) {
    guarded(data, [&](XmlReader& reader) {
      const std::string_view whole = name;
      const std::size_t bar = whole.rfind(kBar);
      XmlElement element{bar == std::string_view::npos ? std::string_view() : whole.substr(0, bar), whole.substr(bar + 1), attributes};
      reader.start(element);
    });
  }
  static void end(void* data, const char* /*name*/) {
    guarded(data, [](XmlReader& reader) { reader.end(); });
  }
  static void declare(void* data, const char* prefix, const char* space) {
    guarded(data, [&](XmlReader& reader) { reader.declare(prefix == nullptr ? "" : prefix, space == nullptr ? "" : space); });
  }
  static void document_type(void* data, const char* name, const char* /*system*/, const char* /*public*/, int /*internal*/) {
    guarded(data, [&](XmlReader& reader) { reader.fail_here("has the document type declaration " + quote(name) + ", which is not allowed in this format"); });
  }
};

XmlReader::XmlReader(const Source& source, std::string member) : source_(source), member_(std::move(member)), parser_(XML_ParserCreateNS(nullptr, kBar)) {
  if (parser_ == nullptr) throw std::bad_alloc();
  XML_SetUserData(parser_of(parser_), this);
  XML_SetElementHandler(parser_of(parser_), Calls::start, Calls::end);
  XML_SetStartNamespaceDeclHandler(parser_of(parser_), Calls::declare);
  XML_SetStartDoctypeDeclHandler(parser_of(parser_), Calls::document_type);
}

XmlReader::~XmlReader() { XML_ParserFree(parser_of(parser_)); }

void XmlReader::feed(std::string_view piece) { parse(piece, false); }

void XmlReader::finish() { parse("", true); }

void XmlReader::parse(std::string_view piece, bool last) {
  const XML_Status status = XML_Parse(parser_of(parser_), piece.data(), static_cast<int>(piece.size()), last ? 1 : 0);
  if (error_ != nullptr) std::rethrow_exception(std::exchange(error_, nullptr));
  if (status != XML_STATUS_OK) {
    const XML_Error code = XML_GetErrorCode(parser_of(parser_));
    if (code == XML_ERROR_NO_MEMORY) throw std::bad_alloc();
    fail_here(std::string("is no well-formed XML: ") + XML_ErrorString(code));
  }
  fed_ += piece.size();
  // Expat keeps an unfinished tag and begins it anew with each piece.
  const XML_Index reached = XML_GetCurrentByteIndex(parser_of(parser_));
  if (!last && fed_ - static_cast<std::size_t>(reached < 0 ? 0 : reached) > kLongest)
    fail_here("has a tag, name or comment of more than " + std::to_string(kLongest) + " bytes");
}

std::size_t XmlReader::line() const { return static_cast<std::size_t>(XML_GetCurrentLineNumber(parser_of(parser_))); }

void XmlReader::fail_at_line_of(std::size_t line, const std::string& what) const { fail(source_, member_ + ": line " + std::to_string(line) + ": " + what); }

}  // namespace graze::io
