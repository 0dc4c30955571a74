// Generates suggestions, the manual page and shell completions from the description of the commands.
#include "cli/usage.hpp"
#include <CLI/CLI.hpp>
#include <algorithm>
#include <graze/version.hpp>
#include <numeric>
#include "cli/commands.hpp"

namespace graze::cli {

namespace {

/// Edit distance: the number of letters to insert, delete, replace or swap with their neighbour.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before, last(b.size() + 1), now(b.size() + 1);
  std::iota(last.begin(), last.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    now[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      now[j] = std::min({last[j] + 1, now[j - 1] + 1, last[j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) now[j] = std::min(now[j], before[j - 2] + 1);
    }
    before = last;
    last = now;
  }
  return last[b.size()];
}

std::vector<const CLI::App*> commands(const CLI::App& app) {
  std::vector<const CLI::App*> list;
  for (const CLI::App* c : app.get_subcommands([](const CLI::App* s) { return !s->get_group().empty(); })) list.push_back(c);
  return list;
}
std::vector<const CLI::Option*> options(const CLI::App& app) {
  std::vector<const CLI::Option*> list;
  for (const CLI::Option* o : app.get_options())
    if (!o->get_positional() && !o->get_group().empty()) list.push_back(o);
  return list;
}
std::vector<std::string> names(const CLI::Option& option) {
  std::vector<std::string> list;
  for (const std::string& s : option.get_snames()) list.push_back("-" + s);
  for (const std::string& l : option.get_lnames()) list.push_back("--" + l);
  return list;
}
bool takes_value(const CLI::Option& option) { return option.get_items_expected_max() > 0; }

/// Escapes text so that roff prints it unchanged.
std::string roff(std::string_view text) {
  std::string out;
  bool line_start = true;
  for (const char c : text) {
    if (line_start && (c == '.' || c == '\'')) out += "\\&";
    if (c == '\\')
      out += "\\e";
    else if (c == '-')
      out += "\\-";
    else
      out += c;
    line_start = c == '\n';
  }
  return out;
}
std::string shell_text(std::string_view text) {  // quoted for shells
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}
std::string synopsis(const CLI::App& command) {
  std::string line = "graze " + command.get_name();
  for (const CLI::Option* o : command.get_options()) {
    if (!o->get_positional()) continue;
    line += o->get_required() ? " " + o->get_name() : " [" + o->get_name() + "]";
  }
  return options(command).empty() ? line : line + " [OPTION]...";
}
void add_options(std::string& out, const CLI::App& app) {
  for (const CLI::Option* o : options(app)) {
    std::string head;
    for (const std::string& n : names(*o)) head += (head.empty() ? "\\fB" : ", \\fB") + roff(n) + "\\fR";
    out += ".TP\n" + head + (takes_value(*o) ? " \\fIVALUE\\fR" : "") + "\n" + roff(o->get_description()) + "\n";
  }
}
/// Unfilled lines.
std::string verbatim(std::string_view text) {
  while (!text.empty() && text.front() == '\n') text.remove_prefix(1);
  return text.empty() ? "" : ".PP\n.nf\n" + roff(text) + "\n.fi\n";
}

std::string bash_script(const CLI::App& app) {
  std::string list, cases;
  for (const CLI::App* c : commands(app)) {
    list += (list.empty() ? "" : " ") + c->get_name();
    std::string words;
    for (const std::string& n : option_names(*c)) words += (words.empty() ? "" : " ") + n;
    if (c->get_name() == "help") words = "$commands";
    cases += "    " + c->get_name() + ") words=\"" + words + "\" ;;\n";
  }
  return "# Completions of graze for bash; written by graze completion bash.\n_graze() {\n  local commands=\"" + list +
         "\" words=\"\" word=\"${COMP_WORDS[COMP_CWORD]}\"\n"
         "  if [ \"$COMP_CWORD\" -eq 1 ]; then\n    COMPREPLY=($(compgen -W \"$commands --help --version\" -- \"$word\"))\n    return\n  fi\n  case "
         "\"${COMP_WORDS[1]}\" in\n" +
         cases +
         "  esac\n"
         "  if [[ \"$word\" == -* || \"${COMP_WORDS[1]}\" == help ]]; then\n    COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n  else\n    "
         "COMPREPLY=($(compgen -f -- \"$word\"))\n  fi\n}\n"
         "complete -o filenames -F _graze graze\n";
}

std::string zsh_script(const CLI::App& app) {
  std::string list, cases;
  for (const CLI::App* c : commands(app)) {
    list += "    " + shell_text(c->get_name() + ":" + c->get_description()) + "\n";
    std::string words;
    for (const std::string& n : option_names(*c)) words += " " + shell_text(n);
    cases += "    " + c->get_name() + ") words_of=(" + words + " ) ;;\n";
  }
  return "#compdef graze\n# Completions of graze for zsh; written by graze completion zsh.\n_graze() {\n  local -a commands words_of\n  commands=(\n" + list +
         "  )\n  if (( CURRENT == 2 )); then\n    _describe command commands\n    return\n  fi\n"
         "  if [[ $words[2] == help ]]; then\n    _describe command commands\n    return\n  fi\n  case $words[2] in\n" +
         cases + "  esac\n  if [[ $PREFIX == -* ]]; then\n    compadd -- $words_of\n  else\n    _files\n  fi\n}\n_graze \"$@\"\n";
}

std::string fish_script(const CLI::App& app) {
  std::string out = "# Completions of graze for fish; written by graze completion fish.\n";
  for (const CLI::App* c : commands(app))
    out += "complete -c graze -n __fish_use_subcommand -a " + c->get_name() + " -d " + shell_text(c->get_description()) + "\n";
  for (const CLI::App* c : commands(app))
    for (const CLI::Option* o : options(*c)) {
      out += "complete -c graze -n '__fish_seen_subcommand_from " + c->get_name() + "'";
      for (const std::string& s : o->get_snames()) out += " -s " + s;
      for (const std::string& l : o->get_lnames()) out += " -l " + l;
      out += (takes_value(*o) ? " -r -d " : " -d ") + shell_text(o->get_description()) + "\n";
    }
  return out;
}

}  // namespace

std::string suggestion(std::string_view word, const std::vector<std::string>& known) {
  const std::string* best = nullptr;
  std::size_t least = word.size() / 3 + 1;  // words at a greater distance are unrelated
  for (const std::string& k : known) {
    const bool begins = word.size() >= 3 && k.starts_with(word);
    const std::size_t d = begins ? 0 : distance(word, k);
    if (d < least || (d == least && !best && d < k.size())) {
      least = d;
      best = &k;
    }
  }
  return best ? "; did you mean " + *best + "?" : "";
}

std::vector<std::string> command_names(const CLI::App& app) {
  std::vector<std::string> list;
  for (const CLI::App* c : commands(app)) list.push_back(c->get_name());
  return list;
}

std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> list;
  for (const CLI::Option* o : options(app))
    for (std::string& n : names(*o)) list.push_back(std::move(n));
  return list;
}

std::string man_page(const CLI::App& app) {
  std::string out =
      ".TH GRAZE 1 \"\" \"graze " + std::string(version()) +
      "\" \"User Commands\"\n.SH NAME\ngraze \\- exact collision queries\n.SH SYNOPSIS\n.B graze\n.I COMMAND\n[OPTION]... [ARGUMENT]...\n.SH DESCRIPTION\n" +
      roff(app.get_description()) + "\n.SH OPTIONS\n";
  add_options(out, app);
  out += ".SH COMMANDS\n";
  for (const CLI::App* c : commands(app)) {
    out += ".SS \"" + roff(synopsis(*c)) + "\"\n" + roff(c->get_description()) + "\n";
    for (const CLI::Option* o : c->get_options())
      if (o->get_positional()) out += ".TP\n\\fI" + roff(o->get_name()) + "\\fR\n" + roff(o->get_description()) + "\n";
    add_options(out, *c);
    out += verbatim(c->get_footer());
  }
  return out + ".SH \"EXIT STATUS AND ENVIRONMENT\"\n" + verbatim(app.get_footer());
}

std::string completion_script(const CLI::App& app, const std::string& shell) {
  if (shell == "bash") return bash_script(app);
  if (shell == "zsh") return zsh_script(app);
  if (shell == "fish") return fish_script(app);
  throw UsageError("completion: \"" + shell + "\" must be bash, zsh or fish");
}

}  // namespace graze::cli
