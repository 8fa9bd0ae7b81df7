// SPDX-License-Identifier: MIT
#include "ui/shell/difference_view.h"

#include "ui/bridge/bridge.h"
#include "ui/document/gateway_control.h"
#include "ui/document/policy_document.h"
#include "ui/theme/format.h"
#include "ui/widgets/action_button.h"
#include "ui/widgets/basics.h"

#include <QCoreApplication>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QMap>
#include <QSet>
#include <QVBoxLayout>

#include <algorithm>

namespace signalbox::ui {

static constexpr qsizetype kMostShownDifferences = 60;

namespace {

struct DifferenceWords {
    Q_DECLARE_TR_FUNCTIONS(DifferenceView)
};

/// A policy as a value for each dotted path.
struct FlatPolicy {
    QMap<QString, QString> values;
    QSet<QString> wholes;  ///< paths of what may come or go as a whole
};

QString scalarText(const QJsonValue& value) {
    if (value.isNull()) return DifferenceWords::tr("none");
    if (value.isBool()) return value.toBool() ? QStringLiteral("true") : QStringLiteral("false");
    if (value.isDouble()) return QString::number(value.toDouble(), 'g', 12);
    return value.toString();
}

/// What an element of a list is known by; its place where it has no name.
QString elementName(const QJsonObject& element, qsizetype place) {
    for (const auto name : {QLatin1String("id"), QLatin1String("pool")})
        if (element.contains(name)) return element.value(name).toString();
    const QString provider = element.value(QLatin1String("provider")).toString();
    if (!provider.isEmpty()) return provider + QLatin1Char(':') + element.value(QLatin1String("model")).toString();
    return QString::number(place + 1);
}

void flatten(const QJsonValue& value, const QString& path, FlatPolicy& out);

void flattenList(const QJsonArray& list, const QString& path, FlatPolicy& out) {
    QStringList names;
    for (qsizetype place = 0; place < list.size(); ++place) {
        const QJsonValue element = list.at(place);
        names << (element.isObject() ? elementName(element.toObject(), place) : scalarText(element));
        if (!element.isObject()) continue;
        const QString whole = path + QLatin1Char('.') + names.last();
        out.wholes.insert(whole);
        flatten(element, whole, out);
    }
    // The order decides, too.
    out.values.insert(path, names.isEmpty() ? DifferenceWords::tr("none") : names.join(QStringLiteral(", ")));
}

void flatten(const QJsonValue& value, const QString& path, FlatPolicy& out) {
    if (value.isArray()) return flattenList(value.toArray(), path, out);
    if (!value.isObject()) {
        out.values.insert(path, scalarText(value));
        return;
    }
    const QJsonObject object = value.toObject();
    const QString prefix = path.isEmpty() ? path : path + QLatin1Char('.');
    for (auto member = object.begin(); member != object.end(); ++member) flatten(member.value(), prefix + member.key(), out);
}

FlatPolicy flatPolicy(const policy::PolicySnapshot& snapshot) {
    FlatPolicy flat;
    flatten(QJsonDocument::fromJson(QByteArray::fromStdString(snapshot.canonicalJson)).object(), {}, flat);
    flat.values.remove(QStringLiteral("table.sha256"));  // its contents are compared
    const config::GatewayConfig& config = *snapshot.config;
    const QString host = format::text(config.server.host);
    flat.values.insert(QStringLiteral("server.listen"), QStringLiteral("%1:%2").arg(host).arg(config.server.port));
    flat.values.insert(QStringLiteral("evidence.enabled"), scalarText(QJsonValue(config.evidence.enabled)));
    flat.values.insert(QStringLiteral("evidence.target"), format::text(config.evidence.target));
    flat.values.insert(QStringLiteral("evidence.environment"), format::text(config.evidence.environment));
    return flat;
}

/// The part of `path` that one policy has as a whole and the other one does not; empty where there is none.
QString lonelyWhole(const QString& path, const FlatPolicy& one, const FlatPolicy& other) {
    for (qsizetype dot = path.indexOf(QLatin1Char('.')); dot >= 0; dot = path.indexOf(QLatin1Char('.'), dot + 1)) {
        const QString whole = path.left(dot);
        if (one.wholes.contains(whole) != other.wholes.contains(whole)) return whole;
    }
    return {};
}

QString presetPlace(const table::Preset& preset) {
    return DifferenceWords::tr("routing-table.json: preset %1").arg(format::text(preset.presetKey));
}

void comparePresets(const table::RoutingTable& running, const table::RoutingTable& draft, QList<PolicyDifference>& out) {
    const QString changed = DifferenceWords::tr("changed"), asItRuns = DifferenceWords::tr("as it runs");
    for (const table::Preset& preset : draft.presets) {
        const table::Preset* before = running.findPreset(preset.presetKey);
        if (before == nullptr) out << PolicyDifference{presetPlace(preset), {}, DifferenceWords::tr("new")};
        else if (!(*before == preset)) out << PolicyDifference{presetPlace(preset), asItRuns, changed};
    }
    for (const table::Preset& preset : running.presets)
        if (draft.findPreset(preset.presetKey) == nullptr) out << PolicyDifference{presetPlace(preset), DifferenceWords::tr("there"), {}};
}

/// Rules and gaps have no names: how many there are, and how many of them the other table does not have.
template <class Row>
void compareRows(const QString& where, const std::vector<Row>& running, const std::vector<Row>& draft, QList<PolicyDifference>& out) {
    if (running == draft) return;
    const auto isStrange = [&running](const Row& row) { return std::find(running.begin(), running.end(), row) == running.end(); };
    const auto strange = std::count_if(draft.begin(), draft.end(), isStrange);
    QString after = QString::number(draft.size());
    if (strange > 0) after = DifferenceWords::tr("%1, of them new or changed: %2").arg(draft.size()).arg(strange);
    else if (draft.size() == running.size()) after = DifferenceWords::tr("%1, in another order").arg(draft.size());
    out << PolicyDifference{where, QString::number(running.size()), after};
}

void compareTables(const policy::PolicySnapshot& running, const policy::PolicySnapshot& draft, QList<PolicyDifference>& out) {
    if (running.tableSha256 == draft.tableSha256) return;
    const qsizetype before = out.size();
    comparePresets(*running.table, *draft.table, out);
    compareRows(DifferenceWords::tr("routing-table.json: rules"), running.table->rules, draft.table->rules, out);
    compareRows(DifferenceWords::tr("routing-table.json: declared gaps"), running.table->gaps, draft.table->gaps, out);
    if (out.size() > before) return;
    // Other bytes that mean the same, or members that nothing here reads.
    const QString was = format::shortHash(running.tableSha256), is = format::shortHash(draft.tableSha256);
    out << PolicyDifference{QStringLiteral("routing-table.json"), was, is};
}

QString valueText(const QString& value) { return value.isNull() ? DifferenceWords::tr("not there") : value; }

}  // namespace

QList<PolicyDifference> policyDifferences(const policy::PolicySnapshot& running, const policy::PolicySnapshot& draft) {
    QList<PolicyDifference> out;
    compareTables(running, draft, out);
    const FlatPolicy before = flatPolicy(running), after = flatPolicy(draft);
    QStringList paths = before.values.keys();
    for (auto path = after.values.keyBegin(); path != after.values.keyEnd(); ++path)
        if (!before.values.contains(*path)) paths << *path;
    paths.sort();
    QSet<QString> told;
    for (const QString& path : std::as_const(paths)) {
        const QString whole = lonelyWhole(path, before, after);
        if (!whole.isEmpty()) {
            if (told.contains(whole)) continue;
            told.insert(whole);
            const bool isNew = after.wholes.contains(whole);
            if (isNew) out << PolicyDifference{whole, {}, DifferenceWords::tr("new")};
            else out << PolicyDifference{whole, DifferenceWords::tr("there"), {}};
            continue;
        }
        const QString was = before.values.value(path), is = after.values.value(path);
        if (was != is) out << PolicyDifference{path, was, is};
    }
    return out;
}

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
    refresh();
}

void DifferenceView::refresh() {
    const auto workspace = m_context.document->workspace();
    const auto running = m_context.bridge->running();
    const QString name = format::text(m_context.bridge->status().name);
    const QString before = format::text(m_context.bridge->runningHash());
    const QString after = workspace && workspace->snapshot ? format::text(workspace->snapshot->hash) : QString();
    const bool differs = m_context.gateway->draftDiffers();
    const QString what = differs ? running ? QStringLiteral("differs") : QStringLiteral("not known") : QString();
    const QString shown = QStringList{name, before, after, what}.join(QLatin1Char('|'));
    if (shown == m_shown && workspace == m_of) return;  // another address has the same hash
    m_shown = shown;
    m_of = workspace;
    clearLayout(m_rows);
    if (before.isEmpty() || after.isEmpty())
        return m_summary->setText(tr("There is nothing to compare: %1 runs no policy, or none is open.").arg(name));
    const QString ours = format::shortHash(workspace->snapshot->hash), theirs = format::shortHash(m_context.bridge->runningHash());
    if (!differs) return m_summary->setText(tr("Nothing differs: %1 answers with what is open (%2).").arg(name, ours));
    if (!running) {
        const QString words = tr("%1 answers with another policy (%2) than the one open (%3). It tells no more of it than that hash.");
        return m_summary->setText(words.arg(name, theirs, ours));
    }
    const QList<PolicyDifference> all = policyDifferences(*running, *workspace->snapshot);
    m_summary->setText(tr("An apply changes %n thing(s) of what %1 runs.", nullptr, static_cast<int>(all.size())).arg(name));
    for (const PolicyDifference& one : all.mid(0, kMostShownDifferences)) {
        auto* row = new QWidget;
        auto* texts = new QVBoxLayout(row);
        texts->setContentsMargins(0, 0, 0, 0);
        texts->setSpacing(1);
        for (QLabel* label : {makeMuted(one.where), makeLabel(tr("%1 → %2").arg(valueText(one.before), valueText(one.after)))}) {
            label->setProperty("data", true);  // names and values of the policy's own
            texts->addWidget(label);
        }
        m_rows->addWidget(row);
    }
    const auto more = static_cast<int>(all.size() - kMostShownDifferences);
    if (more > 0) m_rows->addWidget(makeMuted(tr("and %n more", nullptr, more)));
}

}  // namespace signalbox::ui
