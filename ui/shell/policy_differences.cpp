// SPDX-License-Identifier: MIT
#include "ui/shell/policy_differences.h"

#include "router/base/hashing.h"
#include "router/base/text.h"
#include "ui/theme/format.h"

#include <QCoreApplication>
#include <QHash>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLocale>
#include <QMap>
#include <QSet>

#include <algorithm>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace signalbox::ui {

/// Between the steps of a path and the elements of a list: no name has it, and a name may well have dots and commas.
static constexpr QChar kStep(0x1f);

namespace {

struct DifferenceWords {
    Q_DECLARE_TR_FUNCTIONS(PolicyDifferences)
};

/// What stands at a path. Of two kinds it never is the same, whatever the texts: null is not the word "none".
struct FlatValue {
    enum class Kind { null, word, text, url, emptyList, list, emptyObject };
    Kind kind = Kind::null;
    QString text;
    bool operator==(const FlatValue&) const = default;
};

/// A policy as a value for each path.
struct FlatPolicy {
    QMap<QString, FlatValue> values;
    QSet<QString> wholes;  ///< paths of what may come or go as a whole
};

QString stepsPath(std::initializer_list<QLatin1String> steps) {
    QStringList names;
    for (const QLatin1String step : steps) names << step;
    return names.join(kStep);
}

QString numberText(const QJsonValue& value) {
    constexpr qint64 isNoInteger = std::numeric_limits<qint64>::min();
    if (const qint64 integer = value.toInteger(isNoInteger); integer != isNoInteger) return QString::number(integer);
    return QString::number(value.toDouble(), 'g', QLocale::FloatingPointShortest);
}

FlatValue scalarValue(const QJsonValue& value) {
    if (value.isNull()) return {FlatValue::Kind::null, {}};
    if (value.isBool()) return {FlatValue::Kind::word, value.toBool() ? QStringLiteral("true") : QStringLiteral("false")};
    if (value.isDouble()) return {FlatValue::Kind::word, numberText(value)};
    return {FlatValue::Kind::text, value.toString()};
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
    QHash<QString, int> seen;  // two of one name are two things all the same
    for (qsizetype place = 0; place < list.size(); ++place) {
        const QJsonValue element = list.at(place);
        if (!element.isObject()) {
            if (element.isArray()) names << QString::fromUtf8(QJsonDocument(element.toArray()).toJson(QJsonDocument::Compact));
            else names << scalarValue(element).text;
            continue;
        }
        QString name = elementName(element.toObject(), place);
        if (const int nth = ++seen[name]; nth > 1) name += QStringLiteral(" #%1").arg(nth);
        names << name;
        const QString whole = path + kStep + name;
        out.wholes.insert(whole);
        flatten(element, whole, out);
    }
    // The order decides, too.
    out.values.insert(path, {names.isEmpty() ? FlatValue::Kind::emptyList : FlatValue::Kind::list, names.join(kStep)});
}

void flatten(const QJsonValue& value, const QString& path, FlatPolicy& out) {
    if (value.isArray()) return flattenList(value.toArray(), path, out);
    if (!value.isObject()) {
        FlatValue scalar = scalarValue(value);
        // By what it looks like, so that no field with an address is forgotten: base_url, metrics_url, proxy, and what comes.
        if (scalar.kind == FlatValue::Kind::text && scalar.text.contains(QLatin1String("://"))) scalar.kind = FlatValue::Kind::url;
        out.values.insert(path, scalar);
        return;
    }
    const QJsonObject object = value.toObject();
    if (object.isEmpty() && !path.isEmpty()) out.values.insert(path, {FlatValue::Kind::emptyObject, {}});
    const QString prefix = path.isEmpty() ? path : path + kStep;
    for (auto member = object.begin(); member != object.end(); ++member) flatten(member.value(), prefix + member.key(), out);
}

FlatPolicy flatPolicy(const policy::PolicySnapshot& snapshot) {
    FlatPolicy flat;
    flatten(QJsonDocument::fromJson(QByteArray::fromStdString(snapshot.canonicalJson)).object(), {}, flat);
    flat.values.remove(stepsPath({QLatin1String("table"), QLatin1String("sha256")}));  // its contents are compared
    const config::GatewayConfig& config = *snapshot.config;
    const auto add = [&flat](const char* part, const char* name, const QJsonValue& value) {
        flat.values.insert(stepsPath({QLatin1String(part), QLatin1String(name)}), scalarValue(value));
    };
    add("server", "listen", QStringLiteral("%1:%2").arg(format::text(config.server.host)).arg(config.server.port));
    add("evidence", "enabled", config.evidence.enabled);
    add("evidence", "target", format::text(config.evidence.target));
    add("evidence", "environment", format::text(config.evidence.environment));
    return flat;
}

/// Scheme and host, and a digest of all the rest: some services take their key in the path.
QString urlText(const QString& text) {
    const std::string whole = format::utf8(text);
    const std::string_view url = whole;
    const std::size_t from = urlAuthorityBegin(url), to = std::min(url.find_first_of("/?#\\", from), url.size());
    const std::string_view authority = url.substr(from, to - from), behind = url.substr(to);
    const auto at = lastUrlAtSign(authority);
    // With an @ further on, what looks like the host may be the begin of a password that has a slash.
    const std::string_view host = lastUrlAtSign(behind) ? std::string_view() : authority.substr(at ? at->end : 0);
    std::string shown(url.substr(0, from));
    shown += host;
    if (!at && (behind.empty() || behind == "/")) return format::text(shown.append(behind));
    std::string rest(authority.substr(0, at ? at->end : 0));
    return DifferenceWords::tr("%1/… (the rest has the digest %2)").arg(format::text(shown), format::shortHash(sha256Hex(rest.append(behind))));
}

QString flatText(const FlatValue& value) {
    switch (value.kind) {
    case FlatValue::Kind::null: return DifferenceWords::tr("none");
    case FlatValue::Kind::word: return value.text;
    case FlatValue::Kind::text: return value.text.isEmpty() ? DifferenceWords::tr("an empty text") : value.text;
    case FlatValue::Kind::url: return urlText(value.text);
    case FlatValue::Kind::emptyList: return DifferenceWords::tr("an empty list");
    case FlatValue::Kind::list: return QString(value.text).replace(kStep, QLatin1String(", "));
    case FlatValue::Kind::emptyObject: return DifferenceWords::tr("there, with nothing in it");
    }
    return {};
}

QString wherePath(QString path) { return path.replace(kStep, QLatin1Char('.')); }

/// The part of `path` that one policy has as a whole and the other one does not; empty where there is none.
QString lonelyWhole(const QString& path, const FlatPolicy& one, const FlatPolicy& other) {
    for (qsizetype end = path.indexOf(kStep); end >= 0; end = path.indexOf(kStep, end + 1)) {
        const QString whole = path.left(end);
        if (one.wholes.contains(whole) != other.wholes.contains(whole)) return whole;
    }
    return one.wholes.contains(path) != other.wholes.contains(path) ? path : QString();
}

/// There is something below `path`, which then tells what became of it.
bool hasBelow(const FlatPolicy& flat, const QString& path) {
    const QString prefix = path + kStep;
    const auto next = flat.values.lowerBound(prefix);
    return next != flat.values.end() && next.key().startsWith(prefix);
}

void compareValue(const QString& path, const FlatPolicy& before, const FlatPolicy& after, QList<PolicyDifference>& out) {
    const auto was = before.values.find(path), is = after.values.find(path);
    const bool hadIt = was != before.values.end(), hasIt = is != after.values.end();
    if (hadIt && hasIt && *was == *is) return;
    if (hadIt != hasIt && hasBelow(hadIt ? after : before, path)) return;
    PolicyDifference one{wherePath(path), hadIt ? flatText(*was) : QString(), hasIt ? flatText(*is) : QString()};
    // Null and the word "none", or one element with a comma and two.
    if (hadIt && hasIt && one.before == one.after) one.before = DifferenceWords::tr("%1 (written in another way)").arg(one.before);
    out << one;
}

QString presetPlace(const table::Preset& preset) {
    return DifferenceWords::tr("routing-table.json: preset %1").arg(format::text(preset.presetKey));
}

using PresetsByKey = std::unordered_map<std::string_view, const table::Preset*>;

PresetsByKey presetsByKey(const table::RoutingTable& table) {
    PresetsByKey out;
    out.reserve(table.presets.size());
    for (const table::Preset& preset : table.presets) out.emplace(preset.presetKey, &preset);
    return out;
}

/// The keys in the order of `table`, without those that `other` does not have.
std::vector<std::string_view> sharedKeys(const table::RoutingTable& table, const PresetsByKey& other) {
    std::vector<std::string_view> out;
    for (const table::Preset& preset : table.presets)
        if (other.contains(preset.presetKey)) out.push_back(preset.presetKey);
    return out;
}

void comparePresets(const table::RoutingTable& running, const table::RoutingTable& draft, QList<PolicyDifference>& out) {
    const QString changed = DifferenceWords::tr("changed"), asItRuns = DifferenceWords::tr("as it runs");
    const PresetsByKey before = presetsByKey(running), after = presetsByKey(draft);
    for (const table::Preset& preset : draft.presets) {
        const auto was = before.find(preset.presetKey);
        if (was == before.end()) out << PolicyDifference{presetPlace(preset), {}, DifferenceWords::tr("new")};
        else if (!(*was->second == preset)) out << PolicyDifference{presetPlace(preset), asItRuns, changed};
    }
    for (const table::Preset& preset : running.presets)
        if (!after.contains(preset.presetKey)) out << PolicyDifference{presetPlace(preset), DifferenceWords::tr("there"), {}};
    if (sharedKeys(running, after) == sharedKeys(draft, before)) return;
    const QString reordered = DifferenceWords::tr("%1, in another order").arg(draft.presets.size());
    out << PolicyDifference{DifferenceWords::tr("routing-table.json: presets"), QString::number(running.presets.size()), reordered};
}

std::size_t hashOfTexts(std::initializer_list<std::string_view> texts) {
    std::size_t out = 0;
    for (const std::string_view one : texts) out = out * 31 + std::hash<std::string_view>()(one);
    return out;
}

struct TableRowHash {
    std::size_t operator()(const table::RoutingRule* rule) const {
        const table::When& when = rule->when;
        const auto masks = static_cast<std::size_t>(when.workloadMask << 8U | when.lengthMask << 4U | when.concurrencyMask);
        return hashOfTexts({rule->modelFamily, rule->presetKey, rule->evidence}) * 31 + masks;
    }
    std::size_t operator()(const table::CoverageGap* gap) const {
        return hashOfTexts({gap->modelFamily, gap->missingCell, gap->fallbackPreset, gap->nextPhase});
    }
};
struct SameTableRow {
    bool operator()(const auto* one, const auto* other) const { return *one == *other; }
};

/// Rules and gaps have no names: how many there are, and how many of them the other table does not have, or not as often.
template <class Row>
void compareRows(const QString& where, const std::vector<Row>& running, const std::vector<Row>& draft, QList<PolicyDifference>& out) {
    if (running == draft) return;
    std::unordered_map<const Row*, std::size_t, TableRowHash, SameTableRow> left;
    left.reserve(running.size());
    for (const Row& row : running) ++left[&row];
    std::size_t strange = 0;
    for (const Row& row : draft) {
        const auto same = left.find(&row);
        if (same == left.end() || same->second == 0) ++strange;
        else --same->second;
    }
    QString after = QString::number(draft.size());
    if (strange > 0) after = DifferenceWords::tr("%1, of them new or changed: %2").arg(draft.size()).arg(strange);
    else if (draft.size() == running.size()) after = DifferenceWords::tr("%1, in another order").arg(draft.size());
    out << PolicyDifference{where, QString::number(running.size()), after};
}

QString pinText(const std::optional<std::string>& pin) { return pin ? flatText({FlatValue::Kind::text, format::text(*pin)}) : QString(); }

void compareTables(const policy::PolicySnapshot& running, const policy::PolicySnapshot& draft, QList<PolicyDifference>& out) {
    if (running.tableSha256 == draft.tableSha256) return;
    const qsizetype before = out.size();
    const auto& oldPin = running.table->vllmPin;
    const auto& newPin = draft.table->vllmPin;
    if (oldPin != newPin) out << PolicyDifference{QStringLiteral("routing-table.json: vllm_pin"), pinText(oldPin), pinText(newPin)};
    comparePresets(*running.table, *draft.table, out);
    compareRows(DifferenceWords::tr("routing-table.json: rules"), running.table->rules, draft.table->rules, out);
    compareRows(DifferenceWords::tr("routing-table.json: declared gaps"), running.table->gaps, draft.table->gaps, out);
    if (out.size() > before) return;
    // Other bytes that mean the same, or members that nothing here reads.
    const QString was = format::shortHash(running.tableSha256), is = format::shortHash(draft.tableSha256);
    out << PolicyDifference{QStringLiteral("routing-table.json"), was, is};
}

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
        if (whole.isEmpty()) {
            compareValue(path, before, after, out);
            continue;
        }
        if (told.contains(whole)) continue;
        told.insert(whole);
        const bool isNew = after.wholes.contains(whole);
        if (isNew) out << PolicyDifference{wherePath(whole), {}, DifferenceWords::tr("new")};
        else out << PolicyDifference{wherePath(whole), DifferenceWords::tr("there"), {}};
    }
    return out;
}

}  // namespace signalbox::ui
