// SPDX-License-Identifier: MIT
#include "ui/pages/simulator/answer_words.h"

#include "router/classify/peculiar_words.h"
#include "router/policy/callable.h"
#include "ui/models/attempt_words.h"
#include "ui/models/group_words.h"
#include "ui/models/record_words.h"
#include "ui/theme/format.h"

#include <QCoreApplication>
#include <QLocale>

#include <cmath>

namespace signalbox::ui {

namespace {

namespace smart = policy::smart;
using smart::Cut;

struct AnswerWords {
    Q_DECLARE_TR_FUNCTIONS(SimulatorAnswer)
};

const smart::Group& groupOf(const Simulated& answer) {
    return answer.policy->smart.groups()[answer.refused ? answer.refused->group : answer.plan->group->group];
}

QString endpointOf(const Simulated& answer, std::size_t candidate) { return format::text(groupOf(answer).candidates[candidate].endpointId); }

QString lacks(const smart::CapabilitySet& missing) {
    QStringList out;
    for (const smart::Capability capability : smart::kCapabilities) {
        if (!missing.contains(capability)) continue;
        switch (capability) {
        case smart::Capability::tools: out << AnswerWords::tr("tools"); break;
        case smart::Capability::parallelTools: out << AnswerWords::tr("parallel tool calls"); break;
        case smart::Capability::structuredOutput: out << AnswerWords::tr("structured output"); break;
        case smart::Capability::vision: out << AnswerWords::tr("vision"); break;
        case smart::Capability::contextTokens: out << AnswerWords::tr("room in its context"); break;
        case smart::Capability::maxOutputTokens: out << AnswerWords::tr("such a long answer"); break;
        }
    }
    for (const std::string& word : classify::wordsOf(missing.uncarried())) out << words::capability(word);
    return out.join(AnswerWords::tr(" and "));
}

QString cutReason(const Simulated& answer, std::size_t candidate, Cut cut) {
    const auto& missing = answer.refused ? answer.refused->missing[candidate] : answer.plan->group->missing[candidate];
    if (cut == Cut::capability && !missing.empty()) return AnswerWords::tr("lacks %1").arg(lacks(missing));
    return words::cut(toString(cut));
}

QString number(double value, int decimals) { return QLocale().toString(value, 'f', decimals); }

QString valueText(smart::Term term, double value) {
    switch (term) {
    case smart::Term::latency: return format::milliseconds(value);
    case smart::Term::cost: return AnswerWords::tr("%1 USD").arg(QLocale().toString(value, 'g', 3));
    case smart::Term::quality:
    case smart::Term::reliability:
    case smart::Term::affinity: break;
    }
    return number(value, 3);
}

QString permittedText(const policy::PolicySnapshot& policy, std::size_t rule, policy::RuleVerdict axis) {
    const table::When& when = policy.table->rules[rule].when;
    QStringList out;
    const auto add = [&out](const auto& values, std::uint8_t mask, auto say) {
        for (const auto value : values)
            if ((mask >> static_cast<unsigned>(value) & 1U) != 0) out << say(value);
    };
    switch (axis) {
    case policy::RuleVerdict::workloadDiffers: add(table::kWorkloadClasses, when.workloadMask, words::workload); break;
    case policy::RuleVerdict::lengthDiffers: add(table::kLengthBuckets, when.lengthMask, words::length); break;
    case policy::RuleVerdict::concurrencyDiffers: add(table::kConcurrencyModes, when.concurrencyMask, words::concurrency); break;
    case policy::RuleVerdict::matched:
    case policy::RuleVerdict::shadowed:
    case policy::RuleVerdict::cannotMatch:
    case policy::RuleVerdict::presetElsewhere: break;
    }
    return out.join(AnswerWords::tr(" or "));
}

// Where the mode holds the scores back, turning it is the smallest change.
QString modeChange(const Simulated& answer) {
    const smart::Plan& plan = answer.plan->group->plan;
    const QString best = endpointOf(answer, plan.recommended);
    const int bucket = answer.plan->group->assignment.bucket;
    if (!answer.isBucketKnown)
        return AnswerWords::tr("Mode active would try %1 first, for as many requests as the percentage says. A session or a request id tells whether for this one.").arg(best);
    switch (plan.facts.mode) {
    case smart::ServedMode::offStatic:
    case smart::ServedMode::shadow:
        return AnswerWords::tr("Mode active with at least %1 % would try %2 first: this request is in bucket %3.").arg(bucket + 1).arg(best).arg(bucket);
    case smart::ServedMode::canaryControl:
        return AnswerWords::tr("Activation at %1 % instead of %2 % would try %3 first: this request is in bucket %4.")
            .arg(bucket + 1)
            .arg(answer.policy->smart.settings().activationPercent)
            .arg(best)
            .arg(bucket);
    case smart::ServedMode::active:
    case smart::ServedMode::explicitStatic: break;
    }
    return {};
}

QString groupChange(const Simulated& answer) {
    const smart::Plan& plan = answer.plan->group->plan;
    if (plan.selected != plan.recommended) return modeChange(answer);
    if (plan.facts.candidateCount == 1) return AnswerWords::tr("Nothing turns it: every other candidate is cut.");
    if (!answer.nearest) return AnswerWords::tr("No single value of another candidate is enough to turn it.");
    const QString other = endpointOf(answer, answer.nearest->candidate);
    const QString change = flipText(*answer.nearest->flip);
    if (plan.facts.mode == smart::ServedMode::active) return AnswerWords::tr("%1 would win with %2.").arg(other, change);
    return AnswerWords::tr("%1 would be recommended with %2; the configured order would still serve.").arg(other, change);
}

QString tableChange(const AskedRequest& asked, const Simulated& answer) {
    const auto rules = policy::explainRules(*answer.policy, *answer.plan, asked.features.cell);
    const policy::RuleExplanation* nearest = nullptr;
    for (const policy::RuleExplanation& rule : rules) {
        if (rule.verdict == policy::RuleVerdict::matched) break;  // later rules come too late
        if (rule.differing.empty() || (nearest != nullptr && nearest->differing.size() <= rule.differing.size())) continue;
        nearest = &rule;
    }
    if (nearest == nullptr) return {};
    QStringList wanted;
    for (const policy::RuleVerdict axis : nearest->differing) wanted << permittedText(*answer.policy, nearest->ruleIndex, axis);
    return AnswerWords::tr("With %1 rule %2 would decide: %3.").arg(wanted.join(AnswerWords::tr(" and "))).arg(nearest->ruleIndex + 1).arg(format::text(nearest->presetKey));
}

}  // namespace

QString saidByForm() { return AnswerWords::tr("as the form says"); }

QString candidateReason(const Simulated& answer, std::size_t candidate) {
    if (answer.refused) return cutReason(answer, candidate, answer.refused->refusal.candidates[candidate].cut);
    const smart::Plan& plan = answer.plan->group->plan;
    if (!plan.candidates[candidate].eligible()) return cutReason(answer, candidate, plan.candidates[candidate].cut);
    const QString score = AnswerWords::tr("score %1").arg(number(plan.candidates[candidate].score, 4));
    if (candidate == plan.selected)
        return plan.selected == plan.recommended ? AnswerWords::tr("%1, the best").arg(score)
                                                 : AnswerWords::tr("%1, first in configured order").arg(score);
    if (candidate == plan.recommended) return AnswerWords::tr("%1, the best, but the mode keeps the order").arg(score);
    return AnswerWords::tr("%1, %2 behind").arg(score, number(plan.candidates[plan.recommended].score - plan.candidates[candidate].score, 4));
}

QString candidateHelp(const Simulated& answer, std::size_t candidate) {
    const Cut cut = answer.refused ? answer.refused->refusal.candidates[candidate].cut : answer.plan->group->plan.candidates[candidate].cut;
    return cut == Cut::none ? QString() : words::cutHelp(toString(cut));
}

QString ruleReason(const policy::PolicySnapshot& policy, const policy::RuleExplanation& rule) {
    switch (rule.verdict) {
    case policy::RuleVerdict::matched: return AnswerWords::tr("matches first");
    case policy::RuleVerdict::shadowed: return AnswerWords::tr("an earlier rule came first");
    case policy::RuleVerdict::cannotMatch: return AnswerWords::tr("can never match");
    case policy::RuleVerdict::presetElsewhere: return AnswerWords::tr("matches, but its preset is bound to another provider");
    case policy::RuleVerdict::workloadDiffers:
    case policy::RuleVerdict::lengthDiffers:
    case policy::RuleVerdict::concurrencyDiffers: break;
    }
    QStringList wanted;
    for (const policy::RuleVerdict axis : rule.differing) wanted << permittedText(policy, rule.ruleIndex, axis);
    return AnswerWords::tr("asks for %1").arg(wanted.join(AnswerWords::tr(", ")));
}

QString flipText(const smart::Flip& flip) {
    const QString from = valueText(flip.term, flip.from), to = valueText(flip.term, flip.to);
    const bool isShare = flip.term == smart::Term::quality || flip.term == smart::Term::reliability;
    const QString by = isShare ? AnswerWords::tr("%1 more").arg(number(flip.effort, 3)) : AnswerWords::tr("%1 % less").arg(number(flip.effort * 100, flip.effort < 0.1 ? 1 : 0));
    return AnswerWords::tr("%1 %2 instead of %3 (%4)").arg(words::term(toString(flip.term)), to, from, by);
}

QString whyNotText(const Simulated& answer, const WhyNot& why) {
    if (why.cut != Cut::none) return AnswerWords::tr("Cut: %1. %2").arg(cutReason(answer, why.candidate, why.cut), words::cutHelp(toString(why.cut)));
    QString text = AnswerWords::tr("%1 behind, mostly by %2.").arg(number(why.behind, 4), words::term(toString(why.term)));
    if (why.flip) text += AnswerWords::tr(" Would win with %1.").arg(flipText(*why.flip));
    return text;
}

QString smallestChange(const AskedRequest& asked, const Simulated& answer) {
    if (!answer.plan) return format::text(answer.plan.error().hint);
    if (answer.plan->group) return groupChange(answer);
    return answer.plan->tableDecision ? tableChange(asked, answer) : QString();
}

std::vector<std::pair<QString, QString>> byProfile(const Simulated& answer) {
    std::vector<std::pair<QString, QString>> out;
    if (!answer.plan || !answer.plan->group) return out;
    for (const smart::Profile profile : smart::kProfiles)
        out.emplace_back(words::profile(toString(profile)),
                         endpointOf(answer, choiceUnder(answer.plan->group->plan, weightsOf(answer.policy->smart.settings().weights, profile))));
    return out;
}

QString resultText(const Simulated& answer) {
    if (!answer.plan) return format::sentence(answer.plan.error().message);
    const policy::RouteTarget& target = answer.plan->targets.front();
    const QString endpoint = words::target(target);
    return target.presetKey ? AnswerWords::tr("%1 at %2").arg(format::text(*target.presetKey), endpoint) : endpoint;
}

QString answerSentence(const AskedRequest& asked, const Simulated& answer) {
    const QString name = format::text(asked.features.model);
    if (!answer.plan) return AnswerWords::tr("%1 would be refused: %2.").arg(name, format::text(answer.plan.error().message));
    QString text = AnswerWords::tr("%1 goes to %2").arg(name, resultText(answer));
    if (answer.plan->group) {
        const smart::Plan& plan = answer.plan->group->plan;
        text += plan.selected == plan.recommended ? AnswerWords::tr(", which also scores best")
                                                  : AnswerWords::tr("; the scores would rather try %1").arg(endpointOf(answer, plan.recommended));
    }
    text += QLatin1Char('.');
    if (policy::isOfferedBySeveral(*answer.policy, *answer.plan))
        text += QLatin1Char(' ') + AnswerWords::tr("Whether each provider has its key is not looked at here.");
    return text;
}

}  // namespace signalbox::ui
