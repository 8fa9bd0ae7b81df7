// SPDX-License-Identifier: MIT
#pragma once

#include "router/config/edit.h"

#include <functional>

namespace signalbox::test {

/// A change of a TOML text, and the text that it must give.
struct EditCase {
    const char* tag;
    const char* before;
    std::function<Result<std::string>(std::string_view)> change;
    const char* after;
};

using config::Member;
using config::Members;
using config::Path;
using config::Scalar;
using Texts = std::vector<std::string>;

inline auto set(Path path, Scalar value) {
    return [=](std::string_view text) { return config::setValue(text, path, value); };
}
inline auto removeValueAt(Path path) {
    return [=](std::string_view text) { return config::removeValue(text, path); };
}
inline auto addTableAt(Path path, Members members) {
    return [=](std::string_view text) { return config::addTable(text, path, members); };
}
inline auto removeTableAt(Path path) {
    return [=](std::string_view text) { return config::removeTable(text, path); };
}
inline auto rename(Path path, std::string key) {
    return [=](std::string_view text) { return config::renameTable(text, path, key); };
}
inline auto insertAt(Path path, std::size_t index, Members members) {
    return [=](std::string_view text) { return config::insertElement(text, path, index, members); };
}
inline auto removeAt(Path path, std::size_t index) {
    return [=](std::string_view text) { return config::removeElement(text, path, index); };
}
inline auto moveTo(Path path, std::size_t from, std::size_t to) {
    return [=](std::string_view text) { return config::moveElement(text, path, from, to); };
}

using std::int64_t;
using std::size_t;
using std::string;

// clang-format off
inline const std::vector<EditCase> kEditCases{
    // Values
    {"a value, its comment and spaces stay", "a  =  1   # one\nb = 2\n", set({"a"}, int64_t{7}), "a  =  7   # one\nb = 2\n"},
    {"the same value, spelled otherwise", "a = 0x10\nb = 'x'\nc = 1\n", set({"a"}, int64_t{16}), "a = 0x10\nb = 'x'\nc = 1\n"},
    {"the same text in other quotes", "b = 'x'\n", set({"b"}, string("x")), "b = 'x'\n"},
    {"an integer is a number", "c = 1\n", set({"c"}, 1.0), "c = 1\n"},
    {"a number is written so that it stays one", "c = 0.5\n", set({"c"}, 2.0), "c = 2.0\n"},
    {"a value of several lines", "a = \"\"\"\nx # no comment\n\"\"\" # one\nb = 2\n", set({"a"}, true), "a = true # one\nb = 2\n"},
    {"a text is escaped", "a = 1\n", set({"a"}, string("q\" b\\ n\n \x01 ö")), "a = \"q\\\" b\\\\ n\\n \\u0001 ö\"\n"},
    {"columns are not bytes", "\"ä\" = \"ö\" # ü\n\"ß\" = [\"é\", \"è\"] # ñ\n", set({"ß"}, Texts{"é", "x"}), "\"ä\" = \"ö\" # ü\n\"ß\" = [\"é\", \"x\"] # ñ\n"},
    {"a table value under a header", "[a.b]\nc = 1 # one\n[a.d]\nc = 2\n", set({"a", "d", "c"}, int64_t{3}), "[a.b]\nc = 1 # one\n[a.d]\nc = 3\n"},
    {"dotted keys", "a.b.c = 1\na.b . d = 2\n", set({"a", "b", "d"}, int64_t{3}), "a.b.c = 1\na.b . d = 3\n"},
    {"an inline table", "a = { b = 1, c = { d = 2 } } # one\n", set({"a", "c", "d"}, int64_t{3}), "a = { b = 1, c = { d = 3 } } # one\n"},
    {"quoted keys with dots", "[a.\"b.c\"]\nd = 1\n", set({"a", "b.c", "d"}, int64_t{3}), "[a.\"b.c\"]\nd = 3\n"},
    {"an escaped key", "\"a\\u00e4\" = 1\n", set({"aä"}, int64_t{3}), "\"a\\u00e4\" = 3\n"},
    {"an element of an inline array", "a = [ { b = 1 }, { b = 2 } ]\n", set({"a", size_t{1}, "b"}, int64_t{3}), "a = [ { b = 1 }, { b = 3 } ]\n"},
    {"an element with a subtable", "[[a]]\nb = 1\n[a.s]\nc = 1\n[z]\n[[a]]\nb = 2\n[a.s]\nc = 2\n", set({"a", size_t{0}, "s", "c"}, int64_t{9}), "[[a]]\nb = 1\n[a.s]\nc = 9\n[z]\n[[a]]\nb = 2\n[a.s]\nc = 2\n"},
    {"nested arrays of tables", "[[m]]\n[[m.r]]\nw = 1\n[[m]]\n[[m.r]]\nw = 2\n[[m.r]]\nw = 3\n", set({"m", size_t{1}, "r", size_t{1}, "w"}, int64_t{9}), "[[m]]\n[[m.r]]\nw = 1\n[[m]]\n[[m.r]]\nw = 2\n[[m.r]]\nw = 9\n"},
    {"a byte order mark", "\xef\xbb\xbf" "a = 1\n", set({"a"}, int64_t{2}), "\xef\xbb\xbf" "a = 2\n"},

    // New values
    {"a new value behind the last", "[a]\nb = 1 # one\n# c = 2\n\n[d]\n", set({"a", "c"}, int64_t{2}), "[a]\nb = 1 # one\nc = 2\n# c = 2\n\n[d]\n"},
    {"a new value in an empty table", "[a]\n\n[b]\n", set({"a", "c"}, int64_t{2}), "[a]\nc = 2\n\n[b]\n"},
    {"spaced as its neighbours are", "[a]\n  b=1\n", set({"a", "c"}, string("x")), "[a]\n  b=1\n  c=\"x\"\n"},
    {"no final newline", "[a]\nb = 1", set({"a", "c"}, int64_t{2}), "[a]\nb = 1\nc = 2"},
    {"CRLF", "[a]\r\nb = 1\r\n\r\n[d]\r\n", set({"a", "c"}, int64_t{2}), "[a]\r\nb = 1\r\nc = 2\r\n\r\n[d]\r\n"},
    {"at the top, behind the others", "a = 1\n\n[b]\n", set({"c"}, int64_t{2}), "a = 1\nc = 2\n\n[b]\n"},
    {"at the top, where nothing stands", "# About this file.\n\n# About b.\n[b]\n", set({"c"}, int64_t{2}), "# About this file.\n\nc = 2\n\n# About b.\n[b]\n"},
    {"into an empty file", "", set({"c"}, int64_t{2}), "c = 2\n"},
    {"into an inline table", "a = { b = 1 }\n", set({"a", "c"}, int64_t{2}), "a = { b = 1, c = 2 }\n"},
    {"into an empty inline table", "a = {}\n", set({"a", "c d"}, int64_t{2}), "a = { \"c d\" = 2 }\n"},
    {"beside dotted keys", "[x]\na.b = 1 # one\nc = 3\n", set({"x", "a", "n"}, int64_t{2}), "[x]\na.b = 1 # one\na.n = 2\nc = 3\n"},
    {"beside dotted keys in an inline table", "x = { a.b = 1, c = 3 }\n", set({"x", "a", "n"}, int64_t{2}), "x = { a.b = 1, a.n = 2, c = 3 }\n"},
    {"into a table that only others name", "[z]\n\n# About a.b.\n[a.b]\nc = 1\n", set({"a", "n"}, int64_t{2}), "[z]\n\n[a]\nn = 2\n\n# About a.b.\n[a.b]\nc = 1\n"},
    {"into a table that is not there", "[a.b]\nc = 1\n\n[z]\n", set({"a", "n", "m"}, int64_t{2}), "[a.b]\nc = 1\n\n[a.n]\nm = 2\n\n[z]\n"},
    {"into a table below one that is not there", "[z]\nc = 1\n", set({"a", "n", "m"}, int64_t{2}), "[z]\nc = 1\n\n[a.n]\nm = 2\n"},
    {"a table below an element", "[[a]]\nb = 1\n\n[[a]]\nb = 2\n", set({"a", size_t{0}, "s", "c"}, int64_t{3}), "[[a]]\nb = 1\n\n[a.s]\nc = 3\n\n[[a]]\nb = 2\n"},
    {"tables below an inline table", "a = { b = 1 }\n", set({"a", "n", "m", "k"}, int64_t{2}), "a = { b = 1, n = { m = { k = 2 } } }\n"},

    // Lists of texts
    {"one text of a list", "a = [ 'x', \"y\", 'z' ] # list\n", set({"a"}, Texts{"x", "n", "z"}), "a = [ 'x', \"n\", 'z' ] # list\n"},
    {"a list of several lines grows", "a = [\n  \"x\", # one\n  \"y\"  # two\n]\n", set({"a"}, Texts{"x", "y", "z"}), "a = [\n  \"x\", # one\n  \"y\",  # two\n  \"z\"\n]\n"},
    {"a list with a last comma grows", "a = [\n  \"x\",\n]\n", set({"a"}, Texts{"w", "x", "z"}), "a = [\n  \"w\",\n  \"x\",\n  \"z\",\n]\n"},
    {"a list of several lines shrinks", "a = [\n  \"x\", # one\n  # about y\n  \"y\", # two\n  \"z\" # three\n]\n", set({"a"}, Texts{"x", "z"}), "a = [\n  \"x\", # one\n  \"z\" # three\n]\n"},
    {"a list loses its last", "a = [\n  \"x\", # one\n  \"z\" # three\n]\n", set({"a"}, Texts{"x"}), "a = [\n  \"x\" # one\n]\n"},
    {"a list becomes empty", "a = [ \"x\", \"y\" ]\n", set({"a"}, Texts{}), "a = []\n"},
    {"an empty list is filled", "a = []\n", set({"a"}, Texts{"x", "y"}), "a = [\"x\", \"y\"]\n"},
    {"a text becomes a list", "a = \"x\"\n", set({"a"}, Texts{"x"}), "a = [\"x\"]\n"},

    // Removed values
    {"a value and its comment", "a = 1\n# about b\nb = 2 # two\nc = 3\n", removeValueAt({"b"}), "a = 1\n# about b\nc = 3\n"},
    {"the last, no final newline", "a = 1\nb = 2", removeValueAt({"b"}), "a = 1"},
    {"the only one, no final newline", "b = 2", removeValueAt({"b"}), ""},
    {"of several lines", "a = [\n  1,\n] # one\nb = 2\n", removeValueAt({"a"}), "b = 2\n"},
    {"with CRLF", "a = 1\r\nb = 2\r\n", removeValueAt({"a"}), "b = 2\r\n"},
    {"out of an inline table", "a = { b = 1, c = 2, d = 3 }\n", removeValueAt({"a", "c"}), "a = { b = 1, d = 3 }\n"},
    {"the last of an inline table", "a = { b = 1, c = 2 }\n", removeValueAt({"a", "c"}), "a = { b = 1 }\n"},
    {"the only one of an inline table", "a = { b = 1 }\n", removeValueAt({"a", "b"}), "a = {}\n"},
    {"a dotted one", "a.b = 1\na.c = 2\n", removeValueAt({"a", "b"}), "a.c = 2\n"},
    {"one that is not there", "a = 1\n", removeValueAt({"x", "y"}), "a = 1\n"},

    // Tables
    {"a new table behind those of its parent", "[p.a]\nx = 1\n\n[p.a.q]\ny = 1\n\n\n# Others.\n\n[z]\n", addTableAt({"p", "b"}, {{"x", int64_t{2}}, {"s", string("t")}}), "[p.a]\nx = 1\n\n[p.a.q]\ny = 1\n\n[p.b]\nx = 2\ns = \"t\"\n\n\n# Others.\n\n[z]\n"},
    {"quoted as its neighbours are", "[p.\"a\"]\nx = 1\n", addTableAt({"p", "b"}, {{"x", int64_t{2}}}), "[p.\"a\"]\nx = 1\n\n[p.\"b\"]\nx = 2\n"},
    {"without blank lines where there are none", "[p]\n[p.a]\nx = 1\n[z]\n", addTableAt({"p", "b"}, {}), "[p]\n[p.a]\nx = 1\n[p.b]\n[z]\n"},
    {"in front of a comment about the next", "[p.a]\nx = 1\n\n# About z.\n[z]\n", addTableAt({"p", "b"}, {}), "[p.a]\nx = 1\n\n[p.b]\n\n# About z.\n[z]\n"},
    {"into an empty file, a table", "", addTableAt({"p", "b c"}, {{"x", int64_t{2}}}), "[p.\"b c\"]\nx = 2\n"},
    {"behind comments only", "# Hello\n", addTableAt({"p"}, {{"x", int64_t{2}}}), "# Hello\n\n[p]\nx = 2\n"},
    {"behind a file without final newline", "a = 1", addTableAt({"p"}, {{"x", int64_t{2}}}), "a = 1\n\n[p]\nx = 2"},
    {"a table into an inline table", "p = { a = { x = 1 } }\n", addTableAt({"p", "b"}, {{"x", int64_t{2}}}), "p = { a = { x = 1 }, b = { x = 2 } }\n"},
    {"a table beside dotted keys", "p.a.x = 1\n[z]\n", addTableAt({"p", "b"}, {{"x", int64_t{2}}}), "p.a.x = 1\np.b = { x = 2 }\n[z]\n"},

    {"a table with what is below and above it", "[p]\n\n# About a.\n# More.\n[p.a]\nx = 1\n# within\n\n[p.a.q]\ny = 1\n\n# About b.\n[p.b]\n", removeTableAt({"p", "a"}), "[p]\n\n# About b.\n[p.b]\n"},
    {"what introduces the next ones stays", "[p.a]\nx = 1\n# y = 2\n\n# --- Others ---\n\n[z]\n", removeTableAt({"p", "a"}), "# --- Others ---\n\n[z]\n"},
    {"the last table", "[p]\nx = 1\n\n[q]\ny = 1\n", removeTableAt({"q"}), "[p]\nx = 1\n"},
    {"the last table, no final newline", "[p]\nx = 1\n\n[q]\ny = 1", removeTableAt({"q"}), "[p]\nx = 1"},
    {"a table in several places", "[p.a]\nx = 1\n\n[z]\n\n[p.a.q]\ny = 1\n\n[y]\n", removeTableAt({"p", "a"}), "[z]\n\n[y]\n"},
    {"a table of dotted keys", "p.a.x = 1\np.b.x = 2\np.a.y = 3 # three\n", removeTableAt({"p", "a"}), "p.b.x = 2\n"},
    {"an inline table of a table", "p = { a = { x = 1 }, b = { x = 2 } }\n", removeTableAt({"p", "a"}), "p = { b = { x = 2 } }\n"},
    {"a table with an array of tables in it", "[g.a]\n[[g.a.c]]\nx = 1\n[[g.a.c]]\nx = 2\n[g.b]\n", removeTableAt({"g", "a"}), "[g.b]\n"},

    {"a new name reaches every header", "[g.a] # one\n[[g.a.c]]\nx = 1\n[ g . \"a\" . d ]\n[g.b]\na = 1\n", rename({"g", "a"}, "n"), "[g.n] # one\n[[g.n.c]]\nx = 1\n[ g . \"n\" . d ]\n[g.b]\na = 1\n"},
    {"a new name that needs quotes", "[g.a]\n", rename({"g", "a"}, "n.m"), "[g.\"n.m\"]\n"},
    {"a new name for dotted keys", "g.a.x = 1\ng.a.y = 2\ng.b = 3\n", rename({"g", "a"}, "n"), "g.n.x = 1\ng.n.y = 2\ng.b = 3\n"},
    {"a new name in an inline table", "g = { a = { x = 1 }, b = 2 }\n", rename({"g", "a"}, "n"), "g = { n = { x = 1 }, b = 2 }\n"},
    {"a new name for one value", "[aliases]\nfast = \"a:b\" # quick\n", rename({"aliases", "fast"}, "n"), "[aliases]\nn = \"a:b\" # quick\n"},

    // Elements
    {"an element in front", "[g]\n\n# first\n[[g.c]]\nx = 1\n\n[[g.c]]\nx = 2\n", insertAt({"g", "c"}, 0, {{"x", int64_t{0}}}), "[g]\n\n[[g.c]]\nx = 0\n\n# first\n[[g.c]]\nx = 1\n\n[[g.c]]\nx = 2\n"},
    {"an element behind", "[[g.c]]\nx = 1\n[g.c.s]\ny = 1\n\n[z]\n", insertAt({"g", "c"}, 1, {{"x", int64_t{2}}}), "[[g.c]]\nx = 1\n[g.c.s]\ny = 1\n[[g.c]]\nx = 2\n\n[z]\n"},
    {"the first element", "[g]\na = 1\n\n[z]\n", insertAt({"g", "c"}, 0, {{"x", int64_t{2}}}), "[g]\na = 1\n\n[[g.c]]\nx = 2\n\n[z]\n"},
    {"the first element of an inline table", "g = { a = 1 }\n", insertAt({"g", "c"}, 0, {{"x", int64_t{2}}}), "g = { a = 1, c = [{ x = 2 }] }\n"},
    {"an inline element", "c = [ { x = 1 }, { x = 3 } ]\n", insertAt({"c"}, 1, {{"x", int64_t{2}}}), "c = [ { x = 1 }, { x = 2 }, { x = 3 } ]\n"},
    {"an inline element on lines", "c = [\n  { x = 1 }, # one\n  # about three\n  { x = 3 }, # three\n]\n", insertAt({"c"}, 1, {{"x", int64_t{2}}}), "c = [\n  { x = 1 }, # one\n  { x = 2 },\n  # about three\n  { x = 3 }, # three\n]\n"},
    {"an inline element behind", "c = [\n  { x = 1 }, # one\n]\n", insertAt({"c"}, 1, {{"x", int64_t{2}}}), "c = [\n  { x = 1 }, # one\n  { x = 2 },\n]\n"},
    {"an element into an empty list", "c = [ ]\n", insertAt({"c"}, 0, {{"x", int64_t{2}}}), "c = [{ x = 2 }]\n"},
    {"an element away", "[[c]]\nx = 1\n\n# about two\n[[c]]\nx = 2\n[c.s]\ny = 2\n\n[[c]]\nx = 3\n", removeAt({"c"}, 1), "[[c]]\nx = 1\n\n[[c]]\nx = 3\n"},
    {"the last element away, no final newline", "[[c]]\nx = 1\n\n[[c]]\nx = 2", removeAt({"c"}, 1), "[[c]]\nx = 1"},
    {"an inline element away", "c = [ { x = 1 }, { x = 2 } ]\n", removeAt({"c"}, 0), "c = [ { x = 2 } ]\n"},
    {"an inline element on lines away", "c = [\n  { x = 1 }, # one\n  # about two\n  { x = 2 } # two\n]\n", removeAt({"c"}, 1), "c = [\n  { x = 1 } # one\n]\n"},
    {"an element moves with its comments", "[[c]] # one\nx = 1\n\n# about two\n[[c]]\nx = 2 # two\n[c.s]\ny = 2\n\n\n[[c]]\nx = 3", moveTo({"c"}, 0, 2), "# about two\n[[c]]\nx = 2 # two\n[c.s]\ny = 2\n\n[[c]]\nx = 3\n\n\n[[c]] # one\nx = 1"},
    {"an element moves up", "[[c]]\nx = 1\n\n[[c]]\nx = 2\n\n[z]\n", moveTo({"c"}, 1, 0), "[[c]]\nx = 2\n\n[[c]]\nx = 1\n\n[z]\n"},
    {"an element with tables of others between", "[[c]]\nx = 1\n\n[z]\n\n[c.s]\ny = 1\n\n[[c]]\nx = 2\n", moveTo({"c"}, 0, 1), "[[c]]\nx = 2\n\n[z]\n\n[[c]]\nx = 1\n\n[c.s]\ny = 1\n"},
    {"an inline element moves", "c = [ { x = 1 },{ x = 2 } , { x = 3 } ]\n", moveTo({"c"}, 2, 0), "c = [ { x = 3 },{ x = 1 } , { x = 2 } ]\n"},
    {"an inline element moves with its comments", "c = [\n  { x = 1 }, # one\n  # about two\n  { x = 2 } # two\n]\n", moveTo({"c"}, 1, 0), "c = [\n  # about two\n  { x = 2 }, # two\n  { x = 1 } # one\n]\n"},
    {"nested elements", "[[m]]\n[[m.r]]\nw = 1\n[[m]]\n[[m.r]]\nw = 2\n[[m.r]]\nw = 3\n", moveTo({"m", size_t{1}, "r"}, 1, 0), "[[m]]\n[[m.r]]\nw = 1\n[[m]]\n[[m.r]]\nw = 3\n[[m.r]]\nw = 2\n"},
    {"elements with what is nested in them", "[[m]]\na = 1\n[[m.r]]\nw = 1\n[[m]]\n[[m.r]]\nw = 2\n[[m.r]]\nw = 3\n", moveTo({"m"}, 1, 0), "[[m]]\n[[m.r]]\nw = 2\n[[m.r]]\nw = 3\n[[m]]\na = 1\n[[m.r]]\nw = 1\n"},
};
// clang-format on

}  // namespace signalbox::test
