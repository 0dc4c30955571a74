// Text in XML.
#pragma once
#include <string>
#include <string_view>

namespace graze::clash {

/// The text, as it stands between tags or quotes. Control characters that XML 1.0 does not have become '?', bytes that are not UTF-8 become U+FFFD.
std::string xml(std::string_view text);
/// Appends it.
void put_xml(std::string& out, std::string_view text);

}  // namespace graze::clash
