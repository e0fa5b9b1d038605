// SPDX-License-Identifier: Apache-2.0
#include "cli/text.h"

#include <gtest/gtest.h>

#include <limits>

namespace tumble::cli {
namespace {

TEST(Text, NumbersPointsAndCounts) {
  EXPECT_EQ(number(0.1), "0.1");
  EXPECT_EQ(number(-0.0), "0");
  EXPECT_EQ(number(-1e100), "-1e+100");
  EXPECT_EQ(number(std::numeric_limits<double>::quiet_NaN()), "-");
  EXPECT_EQ(point({1, 2.5, -3}), "(1, 2.5, -3)");
  EXPECT_EQ(count(1, "contact"), "1 contact");
  EXPECT_EQ(count(0, "contact"), "0 contacts");
}

TEST(Text, ShortNumbersHaveNoExponentWhereDigitsWillDo) {
  EXPECT_EQ(short_number(0.98234), "0.982");
  EXPECT_EQ(short_number(0.00001234), "1.23e-05");
  EXPECT_EQ(short_number(0), "0");
  EXPECT_EQ(short_number(999.4), "999");
  EXPECT_EQ(short_number(999.6), "1000");
  EXPECT_EQ(short_number(-8660.25), "-8660");
  EXPECT_EQ(short_number(123456789), "123456789");
  EXPECT_EQ(short_number(1e9), "1e+09");
  EXPECT_EQ(milliseconds(0.1234), "0.123 ms");
  EXPECT_EQ(milliseconds(999.7), "1 s");
  EXPECT_EQ(milliseconds(1234567), "1235 s");
}

TEST(Text, PrintableKeepsEveryLetter) {
  for (const char* text : {"plain ~", "fl\u00fcgel", "\u00a0", "\u07ff", "\u0800", "\ud7ff", "\ue000", "\uffff",
                           "\U00010000", "\U0010ffff", "\u202f", "\u2065", "\u206a"})
    EXPECT_EQ(printable(text), text);
}

TEST(Text, PrintableSpellsOutWhatIsNotALetter) {
  EXPECT_EQ(printable("a\n\x1b[0m\x7f"), "a\\x0a\\x1b[0m\\x7f");
  EXPECT_EQ(printable(std::string_view("\0", 1)), "\\x00");
  EXPECT_EQ(printable("\xc2\x85"), "\\xc2\\x85");         // a control character beyond ASCII
  EXPECT_EQ(printable("a\u202eb"), "a\\xe2\\x80\\xaeb");  // would turn the rest of the line around
  EXPECT_EQ(printable("\u061c\u2069"), "\\xd8\\x9c\\xe2\\x81\\xa9");
  EXPECT_EQ(printable("\u2028\u2029"), "\\xe2\\x80\\xa8\\xe2\\x80\\xa9");  // end a line
  EXPECT_EQ(without_controls("a\u202eb\n"), "a\u202eb\\x0a");              // of names it is a part
  EXPECT_EQ(printable("\xff"
                      "a\xc3"),
            "\\xffa\\xc3");                                          // no lead byte; cut short
  EXPECT_EQ(printable("\xc0\xaf"), "\\xc0\\xaf");                    // overlong
  EXPECT_EQ(printable("\xe0\x9f\xbf"), "\\xe0\\x9f\\xbf");           // overlong
  EXPECT_EQ(printable("\xed\xa0\x80"), "\\xed\\xa0\\x80");           // a surrogate
  EXPECT_EQ(printable("\xf0\x8f\xbf\xbf"), "\\xf0\\x8f\\xbf\\xbf");  // overlong
  EXPECT_EQ(printable("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80");  // beyond the last code point
}

TEST(Text, LettersAreCountedNotBytes) { EXPECT_EQ(letters("fl\u00fcgel"), 6u); }

}  // namespace
}  // namespace tumble::cli
