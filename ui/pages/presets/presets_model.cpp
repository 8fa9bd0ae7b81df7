// SPDX-License-Identifier: MIT
#include "ui/pages/presets/presets_model.h"

#include "ui/theme/theme.h"
#include "ui/theme/format.h"

namespace signalbox::ui {

PresetsModel::PresetsModel(QObject* parent)
    : RowModel(parent), m_columns{{tr("Preset"), CellKind::id, {}, 192},
                                  {tr("Family"), CellKind::id, tr("Rules and defaults belong to families"), 140},
                                  {tr("K"), CellKind::number, tr("Draft tokens of speculative decoding; 1 is none"), 44},
                                  {tr("Max seqs"), CellKind::number, tr("Sequences that the engine runs at once"), 74},
                                  {tr("Role"), CellKind::text, {}, 98},
                                  {tr("Default"), CellKind::text, tr("Serves its family where no rule matches"), 74},
                                  {tr("Endpoint"), CellKind::text, tr("Who serves it: provider and model"), 190},
                                  {tr("Rules"), CellKind::number, tr("How many rules lead to it"), 52},
                                  {tr("Share"), CellKind::number, tr("Of all requests in the range"), 76},
                                  {tr("Model"), CellKind::id, tr("The weights; the served name stands on hover"), 180}} {}

void PresetsModel::set(std::shared_ptr<const table::RoutingTable> table, std::vector<PresetRow> rows) {
    beginResetModel();
    m_table = std::move(table);
    m_rows = std::move(rows);
    m_total.reset();
    endResetModel();
}

void PresetsModel::setTraffic(const std::optional<evidence::PresetSeries>& series) {
    if (!m_table) return;
    setRequests(m_rows, *m_table, series);
    m_total = series ? std::optional(series->total) : std::nullopt;
    if (!m_rows.empty()) Q_EMIT dataChanged(index(0, Share), index(rows() - 1, Share));
}

const PresetRow* PresetsModel::at(int row) const { return row >= 0 && row < rows() ? &m_rows[static_cast<std::size_t>(row)] : nullptr; }

const table::Preset& PresetsModel::preset(int row) const { return m_table->presets[m_rows[static_cast<std::size_t>(row)].index]; }

int PresetsModel::rowOf(const QString& presetKey) const {
    for (int row = 0; row < rows(); ++row)
        if (format::text(preset(row).presetKey) == presetKey) return row;
    return -1;
}

QString PresetsModel::endpointText(const PresetRow& row) const {
    if (!row.target) return tr("unknown");
    return *row.target ? format::text((*row.target)->endpointId()) : tr("none to call");
}

QString PresetsModel::shareText(const PresetRow& row) const {
    if (!row.requests || !m_total) return format::none();
    return *row.requests == 0 ? QStringLiteral("0") : format::share(*row.requests, *m_total);
}

QString PresetsModel::text(int row, int column) const {
    const PresetRow& r = m_rows[static_cast<std::size_t>(row)];
    const table::Preset& p = preset(row);
    switch (column) {
    case Key: return format::text(p.presetKey);
    case Family: return format::text(p.modelFamily);
    case K: return QString::number(p.specDecodeK);
    case MaxSeqs: return QString::number(p.maxNumSeqs);
    case Role: return p.role ? format::text(*p.role) : format::none();
    case DefaultFlag: return p.defaultForFamily ? tr("yes") : QString();
    case Endpoint: return endpointText(r);
    case Rules: return r.rules.empty() ? format::none() : QString::number(r.rules.size());
    case Share: return shareText(r);
    case Model: return format::text(p.model);
    default: return {};
    }
}

QVariant PresetsModel::value(int row, int column) const {
    const PresetRow& r = m_rows[static_cast<std::size_t>(row)];
    const table::Preset& p = preset(row);
    switch (column) {
    case K: return static_cast<qlonglong>(p.specDecodeK);
    case MaxSeqs: return static_cast<qlonglong>(p.maxNumSeqs);
    case DefaultFlag: return p.defaultForFamily;
    case Rules: return static_cast<qulonglong>(r.rules.size());
    case Share: return static_cast<qulonglong>(r.requests.value_or(0));
    default: return text(row, column);
    }
}

QVariant PresetsModel::extra(int row, int column, int role) const {
    const PresetRow& r = m_rows[static_cast<std::size_t>(row)];
    const table::Preset& p = preset(row);
    if (role == SwatchRole && column == Key) return format::text(p.presetKey);
    if (role == ToneRole && column == Endpoint) return static_cast<int>(!r.target ? Tone::idle : *r.target ? Tone::clear : Tone::danger);
    if (role == ToneRole && column == Role && !isKnownRole(p.role)) return static_cast<int>(Tone::caution);
    if (role == ShareRole && column == Share && r.requests && m_total.value_or(0) > 0)
        return static_cast<double>(*r.requests) / static_cast<double>(*m_total);
    if (role != Qt::ToolTipRole) return {};
    if (column == Endpoint && r.target && !*r.target) return QString(format::text(r.target->error().message) + QLatin1Char('\n') + format::text(r.target->error().hint));
    if (column == Model && p.servedModelName) return tr("%1, served as %2").arg(format::text(p.model), format::text(*p.servedModelName));
    if (column == Role && !isKnownRole(p.role)) return tr("Not a role of the contract: default, structured or gateway.");
    if (column == Share && r.requests) return tr("%1 of %2 requests").arg(format::count(*r.requests), format::count(m_total.value_or(0)));
    return text(row, column);
}

}  // namespace signalbox::ui
