// SPDX-License-Identifier: MIT
#pragma once

#include "router/base/clock.h"
#include "router/base/text.h"

#include <algorithm>
#include <concepts>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

/// Two archives over the members of a type, named once by `describe(archive, value)`: what is written and what is read
/// can so never differ. Times of this process's steady clock travel as their age, because another's means nothing.
namespace signalbox::engine::wire {

using Json = nlohmann::ordered_json;

/// Of any list: an answer comes from a gateway that may be anybody's.
inline constexpr std::size_t kMostItems = 20'000;
inline constexpr std::int64_t kLongestAgeMs = std::int64_t{3650} * 86'400 * 1000;
/// Of any figure that is no whole number: whoever shows one makes a whole number of it.
inline constexpr double kLargestFigure = 1e15;

template <class T>
struct IsOptional : std::false_type {};
template <class T>
struct IsOptional<std::optional<T>> : std::true_type {};
template <class T>
struct IsVector : std::false_type {};
template <class T>
struct IsVector<std::vector<T>> : std::true_type {};
template <class T>
struct IsPair : std::false_type {};
template <class A, class B>
struct IsPair<std::pair<A, B>> : std::true_type {};
template <class T>
struct IsDuration : std::false_type {};
template <class R, class P>
struct IsDuration<std::chrono::duration<R, P>> : std::true_type {};
template <class T>
concept Number = std::is_arithmetic_v<T> && !std::same_as<T, bool>;

/// Values that are unset are left out.
class Writer {
public:
    static constexpr bool kWrites = true;
    template <class T>
    using Value = const T;

    explicit Writer(Steady now) : m_now(now) {}
    [[nodiscard]] Json take() { return std::move(m_out); }

    template <class T>
    void operator()(const char* name, const T& value) {
        if (Json json = toJson(value); !json.is_null())
            m_out[name] = std::move(json);
    }
    /// A word instead of a number.
    template <class E, class Parse>
    void word(const char* name, const E& value, const Parse& /*parse*/) {
        m_out[name] = std::string(toString(value));
    }
    template <class E, class Parse>
    void word(const char* name, const std::optional<E>& value, const Parse& parse) {
        if (value)
            word(name, *value, parse);
    }

    template <class T>
    [[nodiscard]] Json toJson(const T& value) const {
        if constexpr (IsOptional<T>::value) {
            return value ? toJson(*value) : Json();
        } else if constexpr (IsVector<T>::value) {
            Json out = Json::array();
            for (const auto& item : value)
                out.push_back(toJson(item));
            return out;
        } else if constexpr (IsPair<T>::value) {
            return Json::array({toJson(value.first), toJson(value.second)});
        } else if constexpr (IsDuration<T>::value) {
            return value.count();
        } else if constexpr (std::same_as<T, Timestamp>) {
            return value == Timestamp() ? Json() : Json(toIso8601(value));
        } else if constexpr (std::same_as<T, Steady>) {
            return std::chrono::duration_cast<std::chrono::milliseconds>(m_now - value).count();
        } else if constexpr (Number<T> || std::same_as<T, bool> || std::same_as<T, std::string>) {
            return value;
        } else {
            Writer inner(m_now);
            describe(inner, value);
            return inner.take();
        }
    }

private:
    Steady m_now;
    Json m_out = Json::object();
};

/// What is absent or null keeps its default, what is not known is passed over, and a value of another kind is noted as
/// the first bad one, by its JSON pointer.
class Reader {
public:
    static constexpr bool kWrites = false;
    template <class T>
    using Value = T;

    Reader(const Json& in, Steady now, std::string pointer, std::string& firstBad)
        : m_in(in), m_now(now), m_pointer(std::move(pointer)), m_firstBad(firstBad) {}

    template <class T>
    void operator()(const char* name, T& value) {
        if (const Json* json = find(name))
            take(*json, value, m_pointer + '/' + name);
    }
    /// A word that this version does not know keeps the default: a newer gateway may have more of them.
    template <class E, class Parse>
    void word(const char* name, E& value, const Parse& parse) {
        const Json* json = find(name);
        if (json == nullptr)
            return;
        if (!json->is_string())
            return bad(m_pointer + '/' + name);
        if (const auto parsed = parse(json->get_ref<const std::string&>()))
            value = *parsed;
    }

    template <class T>
    void take(const Json& json, T& value, const std::string& pointer) {
        if constexpr (IsOptional<T>::value) {
            take(json, value.emplace(), pointer);
        } else if constexpr (IsVector<T>::value) {
            takeArray(json, value, pointer);
        } else if constexpr (IsPair<T>::value) {
            if (!json.is_array() || json.size() != 2)
                return bad(pointer);
            take(json[0], value.first, pointer + "/0");
            take(json[1], value.second, pointer + "/1");
        } else if constexpr (IsDuration<T>::value) {
            typename T::rep count = 0;
            take(json, count, pointer);
            value = std::clamp(T(count), T::zero(), std::chrono::duration_cast<T>(std::chrono::milliseconds(kLongestAgeMs)));
        } else if constexpr (std::same_as<T, Timestamp>) {
            takeTime(json, value, pointer);
        } else if constexpr (std::same_as<T, Steady>) {
            std::int64_t age = 0;
            take(json, age, pointer);
            value = m_now - std::chrono::milliseconds(std::clamp<std::int64_t>(age, 0, kLongestAgeMs));
        } else if constexpr (std::same_as<T, bool>) {
            if (!json.is_boolean())
                return bad(pointer);
            value = json.get<bool>();
        } else if constexpr (std::same_as<T, std::string>) {
            if (!json.is_string())
                return bad(pointer);
            value = json.get<std::string>();
        } else if constexpr (Number<T>) {
            takeNumber(json, value, pointer);
        } else {
            if (!json.is_object())
                return bad(pointer);
            Reader inner(json, m_now, pointer, m_firstBad);
            describe(inner, value);
        }
    }

private:
    [[nodiscard]] const Json* find(const char* name) const {
        const auto found = m_in.find(name);
        return found == m_in.end() || found->is_null() ? nullptr : &*found;
    }
    void bad(const std::string& pointer) {
        if (m_firstBad.empty())
            m_firstBad = pointer;
    }
    template <class T>
    void takeArray(const Json& json, std::vector<T>& value, const std::string& pointer) {
        if (!json.is_array() || json.size() > kMostItems)
            return bad(pointer);
        value.clear();
        for (const Json& item : json) {
            const std::string place = pointer + '/' + std::to_string(value.size());
            take(item, value.emplace_back(), place);
        }
    }
    void takeTime(const Json& json, Timestamp& value, const std::string& pointer) {
        const auto at = json.is_string() ? parseIso8601(json.get_ref<const std::string&>()) : std::nullopt;
        if (!at)
            return bad(pointer);
        value = *at;
    }
    template <class T>
    void takeNumber(const Json& json, T& value, const std::string& pointer) {
        if constexpr (std::floating_point<T>) {
            if (!json.is_number())
                return bad(pointer);
            value = static_cast<T>(std::clamp(json.get<double>(), -kLargestFigure, kLargestFigure));
        } else if (json.is_number_unsigned() && std::in_range<T>(json.get<std::uint64_t>())) {
            value = static_cast<T>(json.get<std::uint64_t>());
        } else if (!json.is_number_unsigned() && json.is_number_integer() && std::in_range<T>(json.get<std::int64_t>())) {
            value = static_cast<T>(json.get<std::int64_t>());
        } else {
            bad(pointer);
        }
    }

    const Json& m_in;
    Steady m_now;
    std::string m_pointer;
    std::string& m_firstBad;
};

} // namespace signalbox::engine::wire
