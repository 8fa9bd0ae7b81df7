// SPDX-License-Identifier: MIT
// How the overview speaks of what is usual.
#include "ui/pages/overview/usual.h"
#include "ui/theme/format.h"

#include <QCoreApplication>
#include <QLocale>
#include <QStringList>

namespace signalbox::ui {

namespace {

using Verdict = UsualJudgement::Verdict;

constexpr std::uint64_t kSmallSample = 1000;

struct UsualWords {
    Q_DECLARE_TR_FUNCTIONS(Usual)
};

QString number(double value) { return QLocale().toString(value, 'f', value < 10 ? 2 : value < 100 ? 1 : 0); }
QString percent(double share) { return QLocale().toString(100 * share, 'f', 1); }

QString rangeOf(UsualTopic topic, const UsualJudgement& judgement) {
    const QString low = usualValue(topic, judgement.low()), high = usualValue(topic, judgement.high());
    return low == high ? low : UsualWords::tr("%1 to %2").arg(low, high);
}

Tone toneOf(UsualTopic topic, const UsualJudgement& judgement) {
    switch (judgement.verdict) {
    case Verdict::unknown: return Tone::idle;
    case Verdict::usual: return Tone::clear;
    case Verdict::worse: return topic == UsualTopic::errors ? Tone::danger : Tone::caution;
    case Verdict::otherwise: return Tone::info;
    }
    return Tone::idle;
}

/// "team support: 6.1 % of 240"
QString standsOut(UsualTopic topic, const UsualPart& part, const QString& who) {
    // As elsewhere a sample is named where it is small; the inspector has all of them.
    if (topic == UsualTopic::traffic || part.reading.sample >= kSmallSample) return UsualWords::tr("%1: %2").arg(who, usualValue(topic, part.reading.value));
    return UsualWords::tr("%1: %2 of %3").arg(who, usualValue(topic, part.reading.value), format::count(part.reading.sample));
}

QString teamName(const std::string& team) { return team.empty() ? UsualWords::tr("no team") : UsualWords::tr("team %1").arg(format::text(team)); }

}  // namespace

QString usualName(UsualTopic topic) {
    switch (topic) {
    case UsualTopic::traffic: return UsualWords::tr("Requests a minute");
    case UsualTopic::errors: return UsualWords::tr("Errors");
    case UsualTopic::firstToken: return UsualWords::tr("First token p95");
    case UsualTopic::speed: return UsualWords::tr("Tokens/s, median");
    case UsualTopic::disagreement: return UsualWords::tr("Disagreement");
    case UsualTopic::gaps: return UsualWords::tr("Gap hits");
    }
    return {};
}

QString usualValue(UsualTopic topic, double value) {
    switch (topic) {
    case UsualTopic::traffic:
    case UsualTopic::speed: return number(value);
    case UsualTopic::firstToken: return format::milliseconds(value);
    case UsualTopic::errors:
    case UsualTopic::disagreement:
    case UsualTopic::gaps: break;
    }
    return UsualWords::tr("%1 %").arg(percent(value));
}

QString noUsualText(const evidence::UsualReport& report) {
    if (!report.before.empty()) return {};
    if (!report.oldest) return UsualWords::tr("no usual yet: no history");
    if (report.now.range.to - report.now.range.from > std::chrono::weeks(1)) return UsualWords::tr("no usual for more than a week");
    const auto days = std::chrono::floor<std::chrono::days>(report.now.range.to - *report.oldest).count();
    return UsualWords::tr("no usual yet: %n day(s) of history", nullptr, static_cast<int>(std::max<long>(0, days)));
}

UsualText usualText(UsualTopic topic, const evidence::UsualReport& report) {
    const UsualJudgement judgement = judgeUsual(topic, report);
    UsualText text;
    text.tone = toneOf(topic, judgement);
    text.value = judgement.now ? usualValue(topic, judgement.now->value) : format::none();
    if (!judgement.before.empty()) {
        const QString range = rangeOf(topic, judgement);
        const bool unusual = judgement.verdict == Verdict::worse || judgement.verdict == Verdict::otherwise;
        text.usual = !unusual ? UsualWords::tr("usual %1").arg(range) : judgement.isAbove() ? UsualWords::tr("above the usual %1").arg(range) : UsualWords::tr("below the usual %1").arg(range);
    } else {
        const QString why = noUsualText(report);
        text.usual = why.isEmpty() ? UsualWords::tr("no usual: too few requests then") : why;
    }
    const auto teams = rankUsual(topic, report.teams, report.now.range), endpoints = rankUsual(topic, report.endpoints, report.now.range);
    if (report.teams.size() > 1 && !teams.empty()) text.team = standsOut(topic, teams.front(), teamName(teams.front().name));
    if (report.endpoints.size() > 1 && !endpoints.empty()) {
        text.endpoint = standsOut(topic, endpoints.front(), format::text(endpoints.front().name));
        text.worstEndpoint = endpoints.front().name;
    }
    return text;
}

QString usualPhrase(UsualTopic topic, const UsualJudgement& judgement) {
    return UsualWords::tr("%1 %2, usual %3").arg(usualName(topic), judgement.now ? usualValue(topic, judgement.now->value) : format::none(), rangeOf(topic, judgement));
}

QString usualSentence(const evidence::UsualReport& report) {
    if (const QString why = noUsualText(report); !why.isEmpty()) return why.left(1).toUpper() + why.mid(1) + QLatin1Char('.');
    QStringList worse;
    for (const UsualTopic topic : kUsualTopics)
        if (const UsualJudgement judgement = judgeUsual(topic, report); judgement.verdict == Verdict::worse) {
            const auto teams = rankUsual(topic, report.teams, report.now.range);
            const QString whom = report.teams.size() > 1 && !teams.empty() ? UsualWords::tr(" (%1 first)").arg(teamName(teams.front().name)) : QString();
            worse << usualPhrase(topic, judgement) + whom;
        }
    if (worse.isEmpty()) return UsualWords::tr("Nothing is worse than at this time of the last %n week(s).", nullptr, static_cast<int>(report.before.size()));
    return UsualWords::tr("Worse than usual: %1.").arg(worse.join(QStringLiteral("; ")));
}

}  // namespace signalbox::ui
