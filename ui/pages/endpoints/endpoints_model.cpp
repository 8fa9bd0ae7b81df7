// SPDX-License-Identifier: MIT
#include "ui/pages/endpoints/endpoints_model.h"

#include "ui/theme/format.h"

#include <QLocale>

#include <algorithm>

namespace signalbox::ui {

EndpointsModel::EndpointsModel(QObject* parent)
    : RowModel(parent),
      m_columns{{tr("Endpoint"), CellKind::id, tr("provider:model, what a request is sent to"), 190},
                {tr("In flight"), CellKind::number, tr("Attempts of this gateway on their way now"), 66},
                {tr("Slots"), CellKind::number, tr("Concurrent calls taken, of those that its resource allows"), 64},
                {tr("Quota left"), CellKind::number, tr("Requests left in the quota's window, and when it begins anew"), 84},
                {tr("State"), CellKind::text, tr("Whether it gets attempts: its circuit opens after failures and rests"), 140},
                {tr("p50, ms"), CellKind::number, tr("Median time to the first token of the last 15 minutes, else of the last day, in milliseconds"), 66},
                {tr("p95, ms"), CellKind::number, tr("Time to the first token that 95 of 100 calls kept within, in milliseconds"), 66},
                {tr("Timed"), CellKind::number, tr("Calls behind these two times: of the last 15 minutes, else of the last day"), 58},
                {tr("Errors"), CellKind::number, tr("Attempts at its provider that failed since this gateway's program started, whichever of its models they were for"), 58},
                {tr("Reliability"), CellKind::number, tr("Share of these attempts that succeeded, in percent, with their number where it is small"), 106},
                {tr("Running"), CellKind::number, tr("Requests in the engine's batch, everybody's"), 80},
                {tr("Waiting"), CellKind::number, tr("Requests that the engine has and does not run yet"), 80},
                {tr("KV use, %"), CellKind::number, tr("Share of the KV cache (the memory of running requests) that is taken"), 84},
                {tr("Preempted"), CellKind::number, tr("Requests put back because memory ran out, since the engine started"), 92},
                {tr("Prefix hits, %"), CellKind::number, tr("Share of prompt tokens found in the prefix cache between the last two readings"), 108},
                {tr("Drafts, %"), CellKind::number, tr("Share of draft tokens that were accepted (speculative decoding) between the last two readings"), 88},
                {tr("Version"), CellKind::text, tr("Of the engine, compared with the version that the table was measured with (vllm_pin)"), 140},
                {tr("Read"), CellKind::text, tr("How old the engine's own numbers are"), 150}} {}

void EndpointsModel::set(std::vector<EndpointRow> rows) {
    const auto idOf = [](const EndpointRow& row) -> const std::string& { return row.health.endpointId; };
    if (!std::ranges::equal(rows, m_rows, {}, idOf, idOf)) {
        beginResetModel();
        m_rows = std::move(rows);
        endResetModel();
        return;
    }
    m_rows = std::move(rows);
    if (!m_rows.empty()) Q_EMIT dataChanged(index(0, 0), index(this->rows() - 1, columnCount() - 1));
}

const EndpointRow* EndpointsModel::at(int row) const { return row >= 0 && row < rows() ? &m_rows[static_cast<std::size_t>(row)] : nullptr; }

int EndpointsModel::rowOf(const QString& endpointId) const {
    for (int row = 0; row < rows(); ++row)
        if (format::text(at(row)->health.endpointId) == endpointId) return row;
    return -1;
}

const EndpointRow* EndpointsModel::find(const QString& endpointId) const { return at(rowOf(endpointId)); }

static QString milliseconds(std::optional<double> value) { return value ? QLocale().toString(*value, 'f', 0) : format::none(); }
static QString number(std::optional<std::uint64_t> value) { return value ? format::count(*value) : format::none(); }
static QString percent(std::optional<double> share) { return share ? QLocale().toString(100 * *share, 'f', 1) : format::none(); }
static QVariant raw(std::optional<double> value) { return value ? QVariant(*value) : QVariant(); }
static QVariant raw(std::optional<std::uint64_t> value) { return value ? QVariant(static_cast<qulonglong>(*value)) : QVariant(); }

static capacity::EngineMetrics engineOf(const EndpointRow& row) { return row.health.engine.value_or(capacity::EngineMetrics{}); }

QString EndpointsModel::text(int row, int column) const {
    const EndpointRow& r = m_rows[static_cast<std::size_t>(row)];
    switch (column) {
    case Endpoint: return format::text(r.health.endpointId);
    case InFlight: return format::count(r.health.inFlight);
    case Slots: return slotsText(r);
    case QuotaLeft: return r.quota ? format::count(left(*r.quota)) : format::none();
    case State: return stateWords(r.health).brief;
    case FirstTokenP50: return milliseconds(r.health.ttftP50Ms);
    case FirstTokenP95: return milliseconds(r.health.ttftP95Ms);
    case Samples: return format::count(r.health.ttftSamples);
    case Errors: return format::count(r.errors());
    case Reliability: return format::share(r.attempts() - r.errors(), r.attempts());
    case Running: return number(engineOf(r).running);
    case Waiting: return number(engineOf(r).waiting);
    case KvUse: return percent(engineOf(r).kvUsed);
    case Preemptions: return number(engineOf(r).preemptionsTotal);
    case PrefixHits: return percent(engineOf(r).prefixCacheHits);
    case DraftAcceptance: return percent(engineOf(r).draftAcceptance);
    case Version: return versionWords(r).brief;
    case Reading: return readingWords(r).brief;
    default: return {};
    }
}

QVariant EndpointsModel::value(int row, int column) const {
    const EndpointRow& r = m_rows[static_cast<std::size_t>(row)];
    switch (column) {
    case InFlight: return r.health.inFlight;
    case Slots: return r.slots ? QVariant(static_cast<qulonglong>(r.slots->used)) : QVariant();
    case QuotaLeft: return r.quota ? QVariant(static_cast<qulonglong>(left(*r.quota))) : QVariant();
    case FirstTokenP50: return raw(r.health.ttftP50Ms);
    case FirstTokenP95: return raw(r.health.ttftP95Ms);
    case Samples: return static_cast<qulonglong>(r.health.ttftSamples);
    case Reliability: return r.attempts() == 0 ? QVariant() : QVariant(double(r.attempts() - r.errors()) / double(r.attempts()));
    case Errors: return static_cast<qulonglong>(r.errors());
    case Running: return raw(engineOf(r).running);
    case Waiting: return raw(engineOf(r).waiting);
    case KvUse: return raw(engineOf(r).kvUsed);
    case Preemptions: return raw(engineOf(r).preemptionsTotal);
    case PrefixHits: return raw(engineOf(r).prefixCacheHits);
    case DraftAcceptance: return raw(engineOf(r).draftAcceptance);
    case Reading: return r.engineAge ? QVariant(static_cast<qlonglong>(r.engineAge->count())) : QVariant();
    default: return text(row, column);
    }
}

std::optional<Tone> EndpointsModel::tone(const EndpointRow& row, int column) const {
    const auto unlessIdle = [](Tone tone) { return tone == Tone::idle ? std::nullopt : std::optional(tone); };
    switch (column) {
    case Slots: return row.slots && left(*row.slots) == 0 ? std::optional(Tone::caution) : std::nullopt;
    case QuotaLeft: return row.quota && left(*row.quota) == 0 ? std::optional(Tone::caution) : std::nullopt;
    case State: return stateWords(row.health).tone;
    case Version: return unlessIdle(versionWords(row).tone);
    case Reading: return unlessIdle(readingWords(row).tone);
    default: return std::nullopt;
    }
}

QVariant EndpointsModel::tip(const EndpointRow& row, int column) const {
    if (column == Endpoint) return format::text(row.health.endpointId);
    if (column == Slots && row.slots) return tr("Resource %1").arg(format::text(row.slots->name));
    if (column == QuotaLeft && row.quota) return tr("Resource %1: %2 of %3 used; %4").arg(format::text(row.quota->name), format::count(row.quota->used), format::count(row.quota->limit), quotaText(row));
    if (column == State) return stateWords(row.health).full;
    if (column == Reliability || column == Errors)
        return tr("%1 of %2 attempts at its provider failed since this gateway's program started")
            .arg(format::count(row.errors()), format::count(row.attempts()));
    if (column == FirstTokenP50 || column == FirstTokenP95 || column == Samples)
        return tr("Of %1 calls of the last 15 minutes, else of the last day").arg(format::count(row.health.ttftSamples));
    if (column == Version) return versionWords(row).full;
    if (isEngineColumn(column)) return readingWords(row).full;
    return {};
}

QVariant EndpointsModel::extra(int row, int column, int role) const {
    const EndpointRow& r = m_rows[static_cast<std::size_t>(row)];
    if (role == SwatchRole && column == Endpoint) return format::text(r.health.endpointId);
    if (role == ShareRole && column == Slots && r.slots && r.slots->limit > 0) return double(r.slots->used) / double(r.slots->limit);
    if (role == ShareRole && column == KvUse && r.health.engineFresh && r.health.engine->kvUsed) return *r.health.engine->kvUsed;
    if (role == ToneRole) {
        const auto marked = tone(r, column);
        return marked ? QVariant(static_cast<int>(*marked)) : QVariant();
    }
    return role == Qt::ToolTipRole ? tip(r, column) : QVariant();
}

}  // namespace signalbox::ui
