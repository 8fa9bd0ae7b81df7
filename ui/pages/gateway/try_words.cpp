// SPDX-License-Identifier: MIT
#include "ui/pages/gateway/try_words.h"

#include "ui/models/record_words.h"
#include "ui/models/speed_words.h"
#include "ui/theme/format.h"

#include <QCoreApplication>
#include <QStringList>

namespace signalbox::ui {

namespace {
struct TryTexts {
    Q_DECLARE_TR_FUNCTIONS(TryPanel)
};
}  // namespace

TryWords tryDecision(const engine::TryHead& head) {
    QStringList parts;
    if (!head.route.empty()) parts << format::text(head.route);
    if (!head.preset.empty()) parts << TryTexts::tr("preset %1").arg(format::text(head.preset));
    if (!head.coverage.empty()) parts << words::coverage(head.coverage);
    if (head.simulated) parts << TryTexts::tr("simulated");
    if (head.lastResort) parts << TryTexts::tr("cooling, but nothing else was left");
    if (parts.isEmpty()) return {Tone::idle, TryTexts::tr("No route was chosen.")};
    return {head.lastResort ? Tone::caution : words::coverageTone(head.coverage), parts.join(QStringLiteral(" · "))};
}

static QString failure(const engine::TryEnd& end, int status) {
    const Error& error = *end.error;
    QString text = format::sentence(error.message);
    if (!text.isEmpty() && !QStringLiteral(".?!").contains(text.back())) text += QLatin1Char('.');
    if (!error.where.empty()) text += QLatin1Char(' ') + TryTexts::tr("Where: %1.").arg(format::text(error.where));
    if (!error.hint.empty()) text += QLatin1Char(' ') + format::text(error.hint);
    if (status == 0) return text;
    return end.errorCode.empty() ? TryTexts::tr("HTTP %1: %2").arg(status).arg(text) : TryTexts::tr("HTTP %1, %2: %3").arg(status).arg(format::text(end.errorCode), text);
}

TryWords tryOutcome(const engine::TryEnd& end, int status) {
    if (end.error && end.error->kind == ErrorKind::cancelled)
        return {Tone::idle, TryTexts::tr("Called off after %1; the gateway saw its client leave.").arg(format::milliseconds(end.totalMs))};
    if (end.error) return {Tone::danger, failure(end, status)};
    QStringList parts;
    if (end.firstTextMs) parts << TryTexts::tr("first token after %1").arg(format::milliseconds(*end.firstTextMs));
    if (end.inputTokens) parts << TryTexts::tr("%1 tokens in").arg(format::count(*end.inputTokens));
    if (end.outputTokens) parts << TryTexts::tr("%1 out").arg(format::count(*end.outputTokens));
    if (const QString speed = words::streamSpeed(end.outputTokens, end.firstTextMs, end.totalMs); !speed.isEmpty()) parts << speed;
    const QString took = format::milliseconds(end.totalMs);
    if (parts.isEmpty()) return {Tone::clear, TryTexts::tr("Answered in %1.").arg(took)};
    return {Tone::clear, TryTexts::tr("Answered in %1: %2.").arg(took, parts.join(QStringLiteral(", ")))};
}

}  // namespace signalbox::ui
