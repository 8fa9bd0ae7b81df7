// SPDX-License-Identifier: MIT
#pragma once

#include "router/base/clock.h"

#include <QDateTime>
#include <QString>

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

/// How the console writes numbers, times and ids: in the user's locale, with units, the same on every page.
namespace signalbox::ui::format {

[[nodiscard]] QString text(std::string_view utf8);
[[nodiscard]] std::string utf8(const QString& text);

[[nodiscard]] QString count(quint64 value);                       ///< 22,600
[[nodiscard]] QString milliseconds(double value);                 ///< 840 ms, 1.24 s, 2 min 5 s
[[nodiscard]] QString milliseconds(std::optional<double> value);  ///< "–" when there is none
[[nodiscard]] QString seconds(std::chrono::seconds span);         ///< 45 s, 12 min, 3 h 20 min, 5 d
[[nodiscard]] QString bytes(quint64 value);                       ///< 1.2 MiB
/// 18.4 %; with "of 42" when the sample is small (under 1,000); "–" of nothing.
[[nodiscard]] QString share(quint64 part, quint64 whole);
/// With a capital first letter: messages that may stand behind "where: " elsewhere begin a sentence here.
[[nodiscard]] QString sentence(std::string_view utf8);
/// "–": there is no value.
[[nodiscard]] QString none();

[[nodiscard]] QDateTime local(Timestamp at);
[[nodiscard]] QString clockTime(Timestamp at);  ///< 14:02:31, local
[[nodiscard]] QString dateTime(Timestamp at);   ///< Sun 29 Nov 14:02:31, local
[[nodiscard]] QString utc(Timestamp at);        ///< 2026-11-29 13:02:31.123 UTC, for hover
/// "just now", "12 s ago", "3 h ago"; the exact time stands on hover.
[[nodiscard]] QString ago(Timestamp at, Timestamp now);
[[nodiscard]] Timestamp now();

/// First 12 digits of a hash, for reading; the whole one stands on hover.
[[nodiscard]] QString shortHash(std::string_view hash);

}  // namespace signalbox::ui::format
