// Tests what is spelled so that each word of it is a harmless number.

#include "redact/spelled.h"

#include <string_view>

#include "catch.h"

namespace nccl_analyze::redact {
namespace {

TEST_CASE("redact: an address is found whatever stands for its points") {
  for (const char* const text : {"10[.]44[.]7[.]91", "10.44.7[.]91", "10[.]44[.]7", "10\\.44\\.7\\.91",
                                 "10\\\\.44\\\\.7\\\\.91", "10(.)44(.)7(.)91", "10[dot]44[dot]7[dot]91",
                                 "10\xe2\x80\xa4"
                                 "44\xe2\x80\xa4"
                                 "7\xe2\x80\xa4"
                                 "91"}) {
    INFO(text);
    CHECK(defanged_length(text) == std::string_view(text).size());
  }
  for (const char* const text :
       {"12.4.131", "10.44.7.91", "2.27.3", "300[.]44[.]7[.]91", "0[.]5", "1/2/3", "0[0] -> 1[1]"})
    CHECK(defanged_length(text) == 0);
  CHECK(address_tuple_length("130,237,44,91,195,149) x") == 21);
  CHECK(address_tuple_length("130,237,44,91") == 13);
  for (const char* const text : {"0,1,2,3)", "130,237,44)", "130, 237, 44, 91)", "130,237,44,910)", "130,237,44,91 "})
    CHECK(address_tuple_length(text) == 0);
}

TEST_CASE("redact: a text is found as a list of its bytes, a list of ranks is none") {
  CHECK(byte_list_length("97, 101, 108, 102, 114, 105, 99]") == 31);
  CHECK(byte_list_length("97,101,108,102,114,105,99") == 25);
  for (const char* const text :
       {"0, 1, 2, 3, 4, 5, 6, 7", "64, 65, 66, 67, 68, 69, 70, 71", "97, 101, 108", "32, 48, 40, 36, 34, 33",
        "8, 97, 101, 108, 102, 114, 105", "97 101 108 102 114 105 99", "1024, 97, 512, 99, 80, 70, 64"})
    CHECK(byte_list_length(text) == 0);
  for (const char* const line : {"\t\t97,", "\t\t255", "\t\t7,"}) CHECK(is_byte_of_journal(line));
  for (const char* const line : {"97,", "\t97,", "\t\t256,", "\t\t97, 98", "\t\tState: Active", "\t\t"})
    CHECK_FALSE(is_byte_of_journal(line));
}

TEST_CASE("redact: an encoded letter or digit is found, an encoded sign stays a sign") {
  for (const char* const text :
       {"%6e", "\\u006e", "\\x6e", "\\156", "\\\\156", "\\303", "&#110;", "&#x6e;", "&#8217;"}) {
    INFO(text);
    CHECK(encoded_length(text) == std::string_view(text).size());
  }
  for (const char* const text :
       {"\\n", "\\u003c", "\\u001b", "\\033[0m", "\\x1b[0m", "&#39;", "&amp;", "&#;", "\\15", "&#110"})
    CHECK(encoded_length(text) == 0);
}

}  // namespace
}  // namespace nccl_analyze::redact
