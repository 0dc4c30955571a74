// Pages: texts with marks that are filled in.
#pragma once
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

namespace graze::cli {

/// Text as content of an element or a quoted attribute.
std::string html_text(std::string_view text);

/// JSON as content of a script element, which it must not end nor turn into a comment.
std::string json_in_html(std::string json);

/// The page with each mark, @NAME@, replaced by its text. What is filled in is not searched for marks.
std::string filled_in(std::string_view page, std::initializer_list<std::pair<std::string_view, std::string_view>> texts);

}  // namespace graze::cli
