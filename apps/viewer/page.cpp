#include "viewer/page.hpp"
#include <graze/error.hpp>
namespace graze::view { void write_page(const std::string&, const Page&) { throw Error("not yet"); } }
