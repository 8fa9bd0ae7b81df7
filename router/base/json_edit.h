// SPDX-License-Identifier: MIT
#pragma once

#include "router/base/json_document.h"

namespace signalbox {

/// Changes to the text of a document. Each gives the whole text as it is to be, in which only the bytes of what was
/// changed differ. What is new is laid out as its neighbours are: on one line or on several, with their indentation,
/// spacing, line ends and way of writing letters beyond ASCII.
///
/// `array` and `object` are JSON pointers. Errors: notFound where the pointer, index or key leads to nothing, badInput
/// where it leads to a value of another type.

/// Puts `value` in front of the element `index`, or behind the last for the number of elements.
[[nodiscard]] Result<std::string> insertElement(const JsonDocument& document, std::string_view array, std::size_t index,
                                                const OrderedJson& value);
[[nodiscard]] Result<std::string> removeElement(const JsonDocument& document, std::string_view array, std::size_t index);
/// `to` is the index that the element has afterwards.
[[nodiscard]] Result<std::string> moveElement(const JsonDocument& document, std::string_view array, std::size_t from,
                                              std::size_t to);

/// Replaces the member, or adds it behind the last one.
[[nodiscard]] Result<std::string> setMember(const JsonDocument& document, std::string_view object, std::string_view key,
                                            const OrderedJson& value);
[[nodiscard]] Result<std::string> removeMember(const JsonDocument& document, std::string_view object,
                                               std::string_view key);

}  // namespace signalbox
