// The embedded files of apps/cli/help: what the help of a command says after its options, by its name; "tool" is that of graze itself.
#pragma once
#include <map>
#include <string>

namespace graze::cli {

extern const std::map<std::string, std::string> kHelpTexts;

}  // namespace graze::cli
