// SPDX-License-Identifier: MIT
#include "ui/shell/difference_view.h"

#include "ui/bridge/async.h"
#include "ui/bridge/bridge.h"
#include "ui/document/gateway_control.h"
#include "ui/document/policy_document.h"
#include "ui/theme/format.h"
#include "ui/theme/plain_tip.h"
#include "ui/widgets/action_button.h"
#include "ui/widgets/basics.h"

#include <QLabel>
#include <QVBoxLayout>

namespace signalbox::ui {

static constexpr qsizetype kMostShownDifferences = 60;
static constexpr std::size_t kManyTableRows = 2000;            // beyond them a comparison is felt while typing
static constexpr std::size_t kLargePolicyBytes = 1024 * 1024;  // as of the texts that are judged on a worker
static constexpr qsizetype kLongestShownValue = 160, kLongestShownWord = 44, kLongestShownTip = 4000;
static constexpr QChar kPart(0x1f);  // between what names a comparison

namespace {

QString valueText(const QString& value) { return value.isNull() ? DifferenceView::tr("not there") : value; }

bool isLarge(const policy::PolicySnapshot& snapshot) {
    const table::RoutingTable& table = *snapshot.table;
    return table.rules.size() > kManyTableRows || table.presets.size() > kManyTableRows || table.gaps.size() > kManyTableRows ||
           snapshot.canonicalJson.size() > kLargePolicyBytes;
}

/// What an apply changes without another hash.
QString surroundingsText(const policy::PolicySnapshot* snapshot) {
    if (snapshot == nullptr) return {};
    const config::GatewayConfig& config = *snapshot->config;
    const QString recorded = config.evidence.enabled ? QStringLiteral("on") : QString();
    const QString target = format::text(config.evidence.target), environment = format::text(config.evidence.environment);
    return QStringList{format::text(config.server.host), QString::number(config.server.port), recorded, target, environment}.join(kPart);
}

/// Words too long for a line lose their middle, and a text too long to read its end.
QString shortened(const QString& text) {
    QStringList words = text.left(kLongestShownValue + kLongestShownTip).split(QLatin1Char(' '));
    for (QString& word : words)
        if (word.size() > kLongestShownWord)
            word = word.left(kLongestShownWord / 2) + QChar(0x2026) + word.right(kLongestShownWord / 2 - 1);
    const QString out = words.join(QLatin1Char(' '));
    return out.size() > kLongestShownValue ? out.left(kLongestShownValue - 1) + QChar(0x2026) : out;
}

/// A name or a value of the policy's own: what does not fit stands on hover.
void setPolicyText(QLabel* label, const QString& shown, const QString& whole) {
    label->setProperty("data", true);
    label->setText(shown);
    if (shown == whole) return;
    label->setToolTip(plainTip(whole.size() > kLongestShownTip ? whole.left(kLongestShownTip) + QChar(0x2026) : whole));
}

}  // namespace

DifferenceView::DifferenceView(const PageContext& context, QWidget* parent)
    : QWidget(parent), m_context(context), m_summary(makeLabel({})), m_rows(new QVBoxLayout) {
    setObjectName(QStringLiteral("differenceView"));
    m_summary->setObjectName(QStringLiteral("difference.summary"));
    m_rows->setSpacing(Theme::kGap);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(Theme::kGapWide);
    layout->addWidget(m_summary);
    layout->addWidget(new ActionButton(m_context.gateway->applyAction(), QStringLiteral("apply"), ButtonRole::primary), 0, Qt::AlignLeft);
    layout->addWidget(makeHairline());
    layout->addLayout(m_rows);
    connect(m_context.gateway, &GatewayControl::stateChanged, this, &DifferenceView::refresh);
}

void DifferenceView::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    refresh();
}

void DifferenceView::refresh() {
    if (!isVisible()) return;
    const auto workspace = m_context.document->workspace();
    const auto draft = workspace ? workspace->snapshot : nullptr;
    const auto running = m_context.bridge->running();
    const QString name = format::text(m_context.bridge->status().name);
    const QString before = format::text(m_context.bridge->runningHash());
    const QString after = draft ? format::text(draft->hash) : QString();
    const bool differs = m_context.gateway->draftDiffers();
    const QString what = differs ? running ? QStringLiteral("differs") : QStringLiteral("not known") : QString();
    const QString around = surroundingsText(running.get()) + kPart + surroundingsText(draft.get());
    const QString shown = QStringList{name, before, after, what, around}.join(kPart);
    if (shown == m_shown) return;
    m_shown = shown;
    ++m_look;
    clearLayout(m_rows);
    if (before.isEmpty() || after.isEmpty())
        return m_summary->setText(tr("There is nothing to compare: %1 runs no policy, or none is open.").arg(name));
    const QString ours = format::shortHash(draft->hash), theirs = format::shortHash(m_context.bridge->runningHash());
    if (!differs) return m_summary->setText(tr("Nothing differs: %1 answers with what is open (%2).").arg(name, ours));
    if (!running) {
        const QString words = tr("%1 answers with another policy (%2) than the one open (%3). It tells no more of it than that hash.");
        return m_summary->setText(words.arg(name, theirs, ours));
    }
    compare(running, draft, name);
}

void DifferenceView::compare(const Snapshot& running, const Snapshot& draft, const QString& name) {
    const QString hashes = tr("%1 and %2").arg(format::shortHash(running->hash), format::shortHash(draft->hash));
    if (!isLarge(*running) && !isLarge(*draft)) return showDifferences(policyDifferences(*running, *draft), name, hashes);
    m_summary->setText(tr("Comparing…"));
    runAsync(
        this, [running, draft] { return policyDifferences(*running, *draft); },
        [this, look = m_look, name, hashes](const QList<PolicyDifference>& all) {
            if (look == m_look) showDifferences(all, name, hashes);
        });
}

void DifferenceView::showDifferences(const QList<PolicyDifference>& all, const QString& name, const QString& hashes) {
    if (all.isEmpty()) {
        const QString words = tr("What %1 runs and what is open have different hashes (%2), and nothing that is compared here differs.");
        return m_summary->setText(words.arg(name, hashes));
    }
    m_summary->setText(tr("An apply changes %n thing(s) of what %1 runs.", nullptr, static_cast<int>(all.size())).arg(name));
    for (const PolicyDifference& one : all.mid(0, kMostShownDifferences)) {
        auto* row = new QWidget;
        auto* texts = new QVBoxLayout(row);
        texts->setContentsMargins(0, 0, 0, 0);
        texts->setSpacing(1);
        QLabel* where = makeMuted({});
        setPolicyText(where, shortened(one.where), one.where);
        texts->addWidget(where);
        QLabel* values = makeLabel({});
        const QString was = valueText(one.before), is = valueText(one.after), both = tr("%1 → %2");
        setPolicyText(values, both.arg(shortened(was), shortened(is)), both.arg(was, is));
        texts->addWidget(values);
        m_rows->addWidget(row);
    }
    const auto more = static_cast<int>(all.size() - kMostShownDifferences);
    if (more > 0) m_rows->addWidget(makeMuted(tr("and %n more", nullptr, more)));
}

}  // namespace signalbox::ui
