// Help texts generated from one description of the commands: suggestions for mistyped words, the manual page, and shell completions.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
}

namespace graze::cli {

/// `; did you mean "picture"?`, with the known word that is nearest to a mistyped one, or "" when none is near.
std::string suggestion(std::string_view word, const std::vector<std::string>& known);

/// The names of all commands that help shows.
std::vector<std::string> command_names(const CLI::App& app);
/// The names of a command's options as they are written ("--limit", "-o").
std::vector<std::string> option_names(const CLI::App& app);

/// The manual page graze(1), in the man macros of roff.
std::string man_page(const CLI::App& app);

/// A script of completions for "bash", "zsh" or "fish". Throws UsageError for another shell.
std::string completion_script(const CLI::App& app, const std::string& shell);

}  // namespace graze::cli
