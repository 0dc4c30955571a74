// Writes the findings of graze clash as one page for a browser, which needs no network: a table, and pictures where the viewer draws them.
#pragma once
#include <cstddef>
#include <graze/clash.hpp>
#include <map>
#include <string>
#include <vector>

namespace graze::clash_page {

/// What the viewer adds to the page.
struct Sight {
  std::map<std::string, std::string> thumbnails;  // by the id of the finding, as data URIs
  std::string shapes = "null";                    // the parts of findings as JSON, which stage.js describes
  std::string library;                            // the programs that draw them
  std::vector<std::string> notes;                 // what is missing, and why
};

/// Findings that a page has at most; those that come last are left out, and the page says how many.
inline constexpr std::size_t kMostRows = 200'000;

/// The findings in the order of the page: new and active ones first, then those that were looked at, the resolved ones last; the worst first.
std::vector<const Clash*> page_order(const ClashReport& report);

/// Throws Error where the file cannot be written.
void write_page(const std::string& path, const ClashReport& report, const ClashParts& parts, const std::string& title, const Sight& sight);

/// Brings the findings of a page up to date with a report of the same run, and leaves pictures and parts. Does nothing if there is no such file.
void renew_page(const std::string& path, const ClashReport& report);

}  // namespace graze::clash_page
