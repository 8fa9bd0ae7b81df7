// SPDX-License-Identifier: MIT
#include "ui/theme/format.h"

#include <QCoreApplication>
#include <QLocale>
#include <QTimeZone>

#include <cmath>

namespace signalbox::ui::format {

namespace {
struct FormatWords {
    Q_DECLARE_TR_FUNCTIONS(Format)
};
}  // namespace

QString text(std::string_view utf8) { return QString::fromUtf8(utf8.data(), static_cast<qsizetype>(utf8.size())); }

std::string utf8(const QString& text) {
    const QByteArray bytes = text.toUtf8();
    return {bytes.constData(), static_cast<std::size_t>(bytes.size())};
}

QString sentence(std::string_view utf8) {
    QString out = text(utf8);
    if (!out.isEmpty()) out[0] = out.at(0).toUpper();
    return out;
}

QString none() { return QStringLiteral("–"); }

QString count(quint64 value) { return QLocale().toString(value); }

QString milliseconds(double value) {
    const QLocale locale;
    if (value < 10) return FormatWords::tr("%1 ms").arg(locale.toString(value, 'f', 1));
    if (value < 1000) return FormatWords::tr("%1 ms").arg(locale.toString(std::round(value), 'f', 0));
    if (value < 60'000) return FormatWords::tr("%1 s").arg(locale.toString(value / 1000, 'f', 2));
    return seconds(std::chrono::seconds(std::llround(value / 1000)));
}

QString milliseconds(std::optional<double> value) { return value ? milliseconds(*value) : none(); }

QString seconds(std::chrono::seconds span) {
    const qint64 s = span.count();
    if (s < 60) return FormatWords::tr("%1 s").arg(s);
    if (s < 3600) return s % 60 == 0 ? FormatWords::tr("%1 min").arg(s / 60) : FormatWords::tr("%1 min %2 s").arg(s / 60).arg(s % 60);
    if (s <= 48 * 3600)
        return s % 3600 < 60 ? FormatWords::tr("%1 h").arg(s / 3600) : FormatWords::tr("%1 h %2 min").arg(s / 3600).arg(s % 3600 / 60);
    return FormatWords::tr("%1 d").arg(s / 86'400);
}

QString bytes(quint64 value) {
    return QLocale().formattedDataSize(static_cast<qint64>(value), 1, QLocale::DataSizeIecFormat);
}

QString share(quint64 part, quint64 whole) {
    if (whole == 0) return none();
    const QString percent = QLocale().toString(100.0 * static_cast<double>(part) / static_cast<double>(whole), 'f', 1);
    return whole < 1000 ? FormatWords::tr("%1 % of %2").arg(percent, count(whole)) : FormatWords::tr("%1 %").arg(percent);
}

QDateTime local(Timestamp at) {
    return QDateTime::fromMSecsSinceEpoch(std::chrono::floor<std::chrono::milliseconds>(at).time_since_epoch().count());
}

QString clockTime(Timestamp at) { return local(at).toString(QStringLiteral("HH:mm:ss")); }

QString dateTime(Timestamp at) { return QLocale().toString(local(at), QStringLiteral("ddd d MMM HH:mm:ss")); }

QString utc(Timestamp at) { return local(at).toUTC().toString(QStringLiteral("yyyy-MM-dd HH:mm:ss.zzz 'UTC'")); }

QString ago(Timestamp at, Timestamp now) {
    const auto passed = std::chrono::floor<std::chrono::seconds>(now - at);
    if (passed.count() < 2) return FormatWords::tr("just now");
    if (passed.count() < 60) return FormatWords::tr("%1 s ago").arg(passed.count());
    if (passed.count() < 3600) return FormatWords::tr("%1 min ago").arg(passed.count() / 60);
    if (passed.count() <= 48 * 3600) return FormatWords::tr("%1 h ago").arg(passed.count() / 3600);
    return FormatWords::tr("%1 d ago").arg(passed.count() / 86'400);
}

Timestamp now() { return std::chrono::floor<std::chrono::microseconds>(std::chrono::system_clock::now()); }

QString shortHash(std::string_view hash) {
    return hash.size() <= 12 ? text(hash) : text(hash.substr(0, 12)) + QStringLiteral("…");
}

}  // namespace signalbox::ui::format
