// Marks are replaced once, and what is filled in stays as it is.
#include "input/html.hpp"

#include <gtest/gtest.h>

namespace graze::cli {
namespace {

TEST(Html, MarksAreFilledInOnce) {
  EXPECT_EQ(filled_in("<@A@ @B@ @A@>", {{"@A@", "@B@"}, {"@B@", "@A@"}}), "<@B@ @A@ @B@>") << "what is filled in is not searched";
  EXPECT_EQ(filled_in("none @C@", {{"@A@", "x"}}), "none @C@");
  EXPECT_EQ(filled_in("", {{"@A@", "x"}}), "");
}

TEST(Html, TextAndJson) {
  EXPECT_EQ(html_text("a<b & \"c\""), "a&lt;b &amp; &quot;c&quot;");
  EXPECT_EQ(json_in_html("{\"a\":\"</script><!-- -->\"}"), "{\"a\":\"<\\/script>\\u003c!-- -->\"}");
}

}  // namespace
}  // namespace graze::cli
