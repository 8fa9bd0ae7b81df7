// SPDX-License-Identifier: MIT
#include "ui/pages/shadow/shadow_words.h"

#include "router/policy/smart/what_if.h"
#include "ui/bridge/status_words.h"
#include "ui/models/group_words.h"
#include "ui/theme/format.h"
#include "ui/widgets/terms/term_paint.h"

#include <QCoreApplication>
#include <QLocale>

namespace signalbox::ui {

namespace smart = policy::smart;

namespace {
struct ShadowWords {
    Q_DECLARE_TR_FUNCTIONS(ShadowWords)
};

std::uint64_t countOf(const std::map<std::string, std::uint64_t>& counts, const char* word) {
    const auto it = counts.find(word);
    return it == counts.end() ? 0 : it->second;
}

QString number(double value) { return QLocale().toString(value, 'f', 2); }
}  // namespace

QString shadowSentence(const ShadowAnswer& answer, const QString& when) {
    if (answer.overall.whole == 0)
        return answer.groupDecisions == 0 ? ShadowWords::tr("No smart group decided in %1.").arg(when)
                                          : ShadowWords::tr("None of the %1 decisions of smart groups in %2 was compared: all were served as recommended, or routing was off.")
                                                .arg(format::count(answer.groupDecisions), when);
    return ShadowWords::tr("%1 of %2 shadow decisions in %3 differ (±%4).")
        .arg(rateText(answer.overall.value), format::count(answer.overall.whole), when, QLocale().toString(100 * answer.overall.margin(), 'f', 1));
}

QString marginSlotText(std::size_t slot) {
    const double from = static_cast<double>(slot) * evidence::kMarginStep;
    if (slot + 1 >= evidence::kMarginSlots) return ShadowWords::tr("%1 or more").arg(number(from));
    return ShadowWords::tr("%1 to %2").arg(number(from), number(from + evidence::kMarginStep));
}

Bars termBars(const ShadowAnswer& answer) {
    Bars bars;
    bars.unit = ShadowWords::tr("disagreements");
    for (std::size_t i = 0; i < answer.byTerm.size(); ++i) {
        const auto term = static_cast<smart::Term>(i);
        const QString word = words::decidedBy(smart::toString(term));
        bars.bars.push_back({word, ShadowWords::tr("The recommended one is %1").arg(word), answer.byTerm[i], [term](QPainter& painter, const QRectF& box) { paintTerm(painter, box, term); }});
    }
    return bars;
}

Bars marginBars(const ShadowAnswer& answer) {
    constexpr std::size_t kLabelled = 5;
    Bars bars;
    bars.unit = ShadowWords::tr("disagreements");
    bars.scale = ShadowWords::tr("score of the recommended less that of the one tried first");
    for (std::size_t i = 0; i < answer.byMargin.size(); ++i) {
        const bool last = i + 1 == answer.byMargin.size();
        const QString name = last ? ShadowWords::tr("≥%1").arg(number(static_cast<double>(i) * evidence::kMarginStep))
                                  : i % kLabelled == 0 ? number(static_cast<double>(i) * evidence::kMarginStep) : QString();
        bars.bars.push_back({name, ShadowWords::tr("Margin %1").arg(marginSlotText(i)), answer.byMargin[i], {}});
    }
    return bars;
}

SessionWords sessionWords(const ShadowAnswer& answer) {
    const std::uint64_t followed = countOf(answer.affinity, "followed"), others = countOf(answer.affinity, "not_selected"), cut = countOf(answer.affinity, "favourite_cut");
    const std::uint64_t sessions = followed + others + cut, none = countOf(answer.affinity, "no_session");
    if (sessions == 0 && none == 0) return {Tone::idle, ShadowWords::tr("No smart group has decided yet.")};
    if (sessions == 0) return {Tone::idle, ShadowWords::tr("None of %1 requests sent a session header, so nothing holds a conversation at one endpoint.").arg(format::count(none))};
    const QString counts = ShadowWords::tr("%1 of %2 decisions with a session went to its favourite; %3 chose another, %4 could not have it; %5 sent no session.")
                               .arg(format::count(followed), format::count(sessions), format::count(others), format::count(cut), format::count(none));
    if (followed == 0) return {Tone::caution, ShadowWords::tr("A session header never hits: %1").arg(counts)};
    return {Tone::clear, counts};
}

QString silenceText(const std::vector<Silence>& silences) {
    QStringList lines;
    for (const Silence& silence : silences)
        lines << (silence.decisions > 0 ? ShadowWords::tr("No shadow decision in the last hour at the %1 edge, though its groups decided %2 requests otherwise.")
                                              .arg(format::text(silence.edge), format::count(silence.decisions))
                                        : ShadowWords::tr("No shadow decision in the last hour at the %1 edge, though requests came and it had some before.").arg(format::text(silence.edge)));
    return lines.join(QLatin1Char('\n'));
}

// A name that a client would send.
static QString firstAlias(const policy::PolicySnapshot& draft) {
    if (draft.config && !draft.config->routing.groups.empty() && !draft.config->routing.groups.front().aliases.empty())
        return format::text(draft.config->routing.groups.front().aliases.front());
    return format::text(draft.smart.groups().front().id);
}

ShadowMessage nothingCompared(const engine::TargetStatus& status, const policy::PolicySnapshot* draft) {
    const QString groups = QStringLiteral("groups"), gateway = QStringLiteral("gateway");
    if (draft == nullptr || draft->smart.groups().empty())
        return {ShadowWords::tr("No smart group yet"),
                ShadowWords::tr("A smart group scores several endpoints for one alias. In shadow the first configured one serves while this page shows what the scores would have chosen."),
                ShadowWords::tr("Make a group"), groups};
    if (status.state != engine::GatewayState::running)
        return {ShadowWords::tr("The gateway is not running"), ShadowWords::tr("Shadow decisions are made while requests are served. Start the gateway, then send a request to a group's alias."),
                ShadowWords::tr("Go to the gateway"), gateway};
    if (status.mode == "off")
        return {ShadowWords::tr("Smart routing is off"), status.killed ? ShadowWords::tr("The kill switch holds it at off. Release it where the mode is set, and each request to a group is scored again.")
                                                                 : ShadowWords::tr("The first configured candidate serves and nothing is scored. In shadow every request is scored and no route changes."),
                ShadowWords::tr("Set the mode"), groups};
    if (status.mode == "active" && status.activationPercent >= 100)
        return {ShadowWords::tr("Everything is served as recommended"), ShadowWords::tr("At 100 % there is nothing to compare with. A lower percentage keeps a control part that this page compares."),
                ShadowWords::tr("Set the percentage"), groups};
    return {ShadowWords::tr("No request to a group in this range"), ShadowWords::tr("Send a request whose model is %1, or widen the range.").arg(firstAlias(*draft)), ShadowWords::tr("Try it on the gateway page"), gateway, {{QStringLiteral("try"), firstAlias(*draft)}}};
}

ShadowMessage shadowUnreadable(const evidence::EvidenceStatus& status, const Error& error) {
    const StatusWords words = evidenceWords(status);
    const QString still = ShadowWords::tr("This keeps no request from being served and scored.");
    switch (status.state) {
    case evidence::StoreState::off:
        if (status.lastError.empty()) return {ShadowWords::tr("Evidence is off"), words.explanation + QLatin1Char(' ') + still, {}, {}};
        if (!onlyObserves(status)) return {ShadowWords::tr("Shadow decisions cannot be read right now"), words.explanation, ShadowWords::tr("Try again"), {}};
        break;
    case evidence::StoreState::starting: return {ShadowWords::tr("The evidence database is starting"), words.explanation, {}, {}};
    case evidence::StoreState::unavailable:
    case evidence::StoreState::journalFull: return {ShadowWords::tr("Shadow decisions cannot be read right now"), words.explanation + QLatin1Char(' ') + still, ShadowWords::tr("Try again"), {}};
    case evidence::StoreState::ready:
    case evidence::StoreState::catchingUp: break;
    }
    QString what = format::sentence(error.message) + QStringLiteral(". ");
    if (!error.hint.empty()) what += format::text(error.hint) + QStringLiteral(". ");
    what += onlyObserves(status) ? words.explanation : still;
    return {ShadowWords::tr("Shadow decisions cannot be read right now"), what + QLatin1Char(' ') + ShadowWords::tr("It is tried again every few seconds."), ShadowWords::tr("Try again"), {}};
}

}  // namespace signalbox::ui
