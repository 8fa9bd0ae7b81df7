// SPDX-License-Identifier: MIT
#pragma once

#include "router/table/remarks.h"

#include <initializer_list>
#include <nlohmann/json.hpp>
#include <span>

namespace signalbox::table {

/// The code of an object's missing field and of a field of the wrong type.
struct FieldCodes {
    std::string missing;
    std::string type;
};

/// Typed access to the members of one JSON object; every fault becomes an error with its pointer.
/// A reader that found a fault returns nullopt, so that the rest of the object is still checked.
class Fields {
public:
    /// `what` names the object in messages: "preset", "rule".
    Fields(const OrderedJson& object, std::string pointer, std::string what, FieldCodes codes, Remarks& remarks)
        : m_object(object), m_pointer(std::move(pointer)), m_what(std::move(what)), m_codes(std::move(codes)),
          m_remarks(remarks) {}

    [[nodiscard]] bool has(std::string_view key) const { return m_object.contains(key); }
    [[nodiscard]] std::string pointerTo(std::string_view key) const { return m_pointer + "/" + std::string(key); }

    std::optional<std::string> text(const std::string& key);
    /// A text that is not empty.
    std::optional<std::string> name(const std::string& key);
    /// Text or null; null gives nullopt without a fault. A missing key is a fault only if `required`.
    std::optional<std::string> textOrNull(const std::string& key, bool required);
    /// Also takes 1.0, which JSON Schema calls an integer.
    std::optional<std::int64_t> integer(const std::string& key);
    std::optional<bool> boolean(const std::string& key);
    std::optional<std::vector<std::string>> words(const std::string& key);
    const OrderedJson* object(const std::string& key);
    const OrderedJson* array(const std::string& key);

    /// From now on members that are missing are kept, for `reportMissing` to say all of them in one error.
    void gatherMissing() { m_gathers = true; }
    /// `hint` says how to come by them where it is more than one.
    void reportMissing(const std::string& hint);

    /// An advisory for each member that is not in `known`, with the nearest known key.
    void noteUnknown(std::initializer_list<std::string> known);

private:
    const OrderedJson* find(const std::string& key, bool required = true);
    void missing(const std::vector<std::string>& keys, const std::string& hint);
    void wrongType(const std::string& key, std::string_view wanted, const OrderedJson& value);

    const OrderedJson& m_object;
    std::string m_pointer;
    std::string m_what;
    FieldCodes m_codes;
    Remarks& m_remarks;
    bool m_gathers = false;
    std::vector<std::string> m_missing;
};

/// The value as a 64-bit integer, if it is one in the sense of JSON Schema.
[[nodiscard]] std::optional<std::int64_t> asInteger(const OrderedJson& value);
/// "a text", "null", "an object", … for messages.
[[nodiscard]] std::string typeName(const OrderedJson& value);
/// "Allowed are a, b and c.", with the nearest one in front if `word` looks like a slip.
[[nodiscard]] std::string allowedHint(std::string_view word, std::span<const std::string> allowed);

}  // namespace signalbox::table
