// Reading XML as a stream of elements.
#pragma once
#include <cstddef>
#include <exception>
#include <memory>
#include <string>
#include <string_view>

#include "io/bytes.hpp"

namespace graze::io {

/// The start of an element; its texts live during the call that gets it.
struct XmlElement {
  std::string_view space, name;  ///< its namespace, and its name there
  const char* const* attributes = nullptr;

  /// Calls use(name, value) for each attribute, in file order. The name of one with a prefix begins with its namespace and '|'.
  template <class F>
  void each_attribute(F&& use) const {
    for (const char* const* a = attributes; *a != nullptr; a += 2) use(std::string_view(a[0]), std::string_view(a[1]));
  }
  /// The value, or null if there is no such attribute.
  const char* find(std::string_view attribute) const {
    for (const char* const* a = attributes; *a != nullptr; a += 2)
      if (attribute == a[0]) return a[1];
    return nullptr;
  }
};

/// Parses XML piece by piece and calls the functions of a derived class. A document type declaration is refused, so there are no entities that could grow,
/// and so is a name, tag or comment of more than a megabyte.
class XmlReader {
 public:
  /// `member` names the text in messages.
  XmlReader(const Source& source, std::string member);
  virtual ~XmlReader();
  XmlReader(const XmlReader&) = delete;
  XmlReader& operator=(const XmlReader&) = delete;

  void feed(std::string_view piece);
  /// Must be called after the last piece.
  void finish();

  /// The line of what is read.
  std::size_t line() const;
  /// Throws Error with file, member and line.
  [[noreturn]] void fail_here(const std::string& what) const { fail_at_line_of(line(), what); }
  [[noreturn]] void fail_at_line_of(std::size_t line, const std::string& what) const;

 protected:
  virtual void start(const XmlElement& element) = 0;
  virtual void end() = 0;
  /// A prefix is declared on the element that starts next.
  virtual void declare(std::string_view /*prefix*/, std::string_view /*space*/) {}

  const Source& source_;
  const std::string member_;

 private:
  struct Calls;
  void parse(std::string_view piece, bool last);

  void* parser_;
  std::size_t fed_ = 0;
  std::exception_ptr error_;  // thrown by a function of the derived class, kept while the parser returns
};

}  // namespace graze::io
