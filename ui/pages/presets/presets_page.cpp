// SPDX-License-Identifier: MIT
#include "ui/pages/presets/presets_page.h"

#include "ui/document/policy_document.h"
#include "ui/pages/place_after.h"
#include "ui/pages/presets/presets_editor.h"
#include "ui/pages/presets/presets_inspector.h"
#include "ui/pages/presets/presets_model.h"
#include "ui/pages/read_only_banner.h"
#include "ui/pages/whose_records.h"
#include "ui/widgets/action_button.h"
#include "ui/widgets/basics.h"
#include "ui/widgets/cards/card_list.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/fact_list.h"
#include "ui/widgets/forms/row_commands.h"
#include "ui/theme/format.h"
#include "ui/widgets/section.h"
#include "ui/widgets/table_view.h"
#include "ui/widgets/tone_label.h"

#include <QAction>
#include <QHeaderView>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace signalbox::ui {

using namespace std::chrono_literals;

static constexpr int kMostToDoHeight = 220, kRoomForModel = 1080;

PresetsPage::PresetsPage(PageContext context, QWidget* parent)
    : Page(std::move(context), parent), m_model(new PresetsModel(this)), m_view(new TableView(tr("Presets"))),
      m_toDoView(new CardList(tr("Names without a natural preset"))), m_orderNote(makeMuted({})),
      m_nothingToDo(new ToneLabel(Tone::clear, tr("Every name that clients may send leads to one preset"))), m_editor(new PresetsEditor(m_context, this)),
      m_commands(new RowCommands(m_view, tr("Add preset"))) {
    makeLayout();
    connectSources();
    connectEditing();
    takeWorkspace();
}

// A view whose model dies has no current row any more and says so, when this is no page any more.
PresetsPage::~PresetsPage() {
    for (QObject* part : QList<QObject*>{m_view, m_toDoView}) part->disconnect(this);
}

QString PresetsPage::question() const { return tr("Does what runs match what the preset says?"); }

void PresetsPage::makeLayout() {
    m_view->setSortableModel(m_model);
    m_view->setEmptyState(new EmptyState(QStringLiteral("presets"), tr("No presets yet"),
                                         tr("A preset is one way to run a model: its weights, its K, how many sequences at once. Open a "
                                            "workspace or a routing table and its presets stand here, with who serves them.")));
    m_toDoView->fitContents(kMostToDoHeight);
    m_toDoSection = new Section(tr("Names without a natural preset"));
    m_toDoSection->body()->addWidget(m_nothingToDo);
    m_toDoSection->body()->addWidget(m_toDoView);

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(Theme::kSection, 0, Theme::kSection, Theme::kMargin);
    layout->setSpacing(Theme::kMargin);
    auto* bar = new QHBoxLayout;
    bar->addWidget(new ActionButton(m_commands->addAction(), QStringLiteral("plus")));
    bar->addWidget(m_orderNote, 1);
    layout->addWidget(makeHairline());
    layout->addWidget(new ReadOnlyBanner(m_context));
    layout->addWidget(new WhoseRecords(m_context));
    layout->addLayout(bar);
    layout->addWidget(m_view, 1);
    layout->addWidget(m_toDoSection);
}

void PresetsPage::connectSources() {
    m_settle.setSingleShot(true);
    m_settle.setInterval(2s);
    connect(&m_settle, &QTimer::timeout, this, &PresetsPage::askTraffic);
    connect(m_context.view, &ViewState::rangeChanged, this, &PresetsPage::askTraffic);
    connect(m_context.bridge, &Bridge::ownDecisionsArrived, this, [this] {
        if (!m_settle.isActive()) m_settle.start();
    });
    connect(m_context.document, &PolicyDocument::changed, this, &PresetsPage::takeWorkspace);
    connect(m_view, &TableView::rowSelected, this, &PresetsPage::inspectPreset);
    connect(m_view, &TableView::rowOpened, this, [this](int row) {
        if (m_model->at(row) != nullptr)
            m_context.go(QStringLiteral("history"), {{QStringLiteral("preset"), format::text(m_model->preset(row).presetKey)}});
    });
    connect(m_toDoView, &CardList::selected, this, &PresetsPage::inspectName);
}

void PresetsPage::connectEditing() {
    const auto indexAt = [this](int viewRow) { return m_model->at(m_view->sourceRowAt(viewRow))->index; };
    connect(m_commands, &RowCommands::addWanted, this, [this] {
        const int row = m_view->currentSourceRow();
        const auto table = m_context.document->table();
        m_editor->start(m_model->at(row) != nullptr ? m_model->preset(row).modelFamily : table && !table->presets.empty() ? table->presets.front().modelFamily : std::string());
    });
    connect(m_commands, &RowCommands::duplicateWanted, m_editor, [this, indexAt](int row) { m_editor->duplicate(indexAt(row)); });
    connect(m_commands, &RowCommands::removeWanted, m_editor, [this, indexAt](int row) {
        m_editor->remove(indexAt(row));
        if (m_model->rows() > 0 && m_view->currentSourceRow() < 0) m_view->selectSourceRow(m_view->sourceRowAt(std::min(row, m_model->rows() - 1)));
    });
    connect(m_commands, &RowCommands::moveWanted, m_editor, [this, indexAt](int from, int to) { m_editor->move(indexAt(from), indexAt(to)); });
    connect(m_editor, &PresetsEditor::wantsPreset, this, [this](std::size_t preset) {
        if (preset >= static_cast<std::size_t>(m_model->rows())) return;
        m_view->selectSourceRow(static_cast<int>(preset));
        if (!isInspected(preset)) inspectPreset(static_cast<int>(preset));
    });
    // Sorted by a column, the order of the rows is not that of the table.
    connect(m_view->horizontalHeader(), &QHeaderView::sortIndicatorChanged, this, &PresetsPage::showOrderNote);
}

void PresetsPage::showOrderNote() {
    const bool sorted = m_view->horizontalHeader()->sortIndicatorSection() >= 0;
    m_commands->setMovable(!sorted);
    const bool editable = m_editor->canEdit() && m_model->rows() > 0;
    m_orderNote->setVisible(editable);
    m_orderNote->setText(sorted ? tr("Sorted by a column; the order of the table is kept") : tr("In the order of the table; drag or Alt+Up, Alt+Down"));
}

void PresetsPage::takeWorkspace() {
    const auto workspace = m_context.document->workspace();
    const auto table = m_context.document->table();
    const auto before = std::exchange(m_table, table);
    const auto placeNow = [&](std::size_t preset) { return before && table ? placeAfter(before->presets, table->presets, preset) : std::nullopt; };
    // A row that only came with the focus was chosen by nobody.
    const int current = m_view->selectionModel()->hasSelection() ? m_view->currentSourceRow() : -1;
    const auto chosen = m_model->at(current) != nullptr ? placeNow(m_model->at(current)->index) : std::nullopt;
    m_commands->setEnabled(m_editor->canEdit());
    m_model->set(workspace ? workspace->table.table : nullptr, workspace ? presetRows(*workspace) : std::vector<PresetRow>{});
    m_toDo = workspace ? namesWithoutNaturalPreset(*workspace) : std::vector<NameToDo>{};
    if (chosen) {
        const QSignalBlocker quiet(m_view);  // it was before
        m_view->selectSourceRow(static_cast<int>(*chosen));
    }
    showToDo();
    showOrderNote();
    const bool turned = std::exchange(m_wasEditable, m_editor->canEdit()) != m_editor->canEdit();
    const auto isInspectedName = [this](const NameToDo& name) { return name.name == m_inspectedName; };
    if (!m_inspectedName) followPreset(placeNow(m_inspected), turned);
    else if (std::none_of(m_toDo.begin(), m_toDo.end(), isInspectedName)) m_sheet.drop();
    m_editor->refresh();
    showKnown();
    askTraffic();
    say();
}

/// Its sheet goes with a preset, wherever that stands by now, and goes when the preset is gone.
void PresetsPage::followPreset(std::optional<std::size_t> place, bool turned) {
    if (!place) return m_sheet.drop();
    const bool moved = std::exchange(m_inspected, *place) != *place;
    const bool isToBeRead = m_sheet.facts() == nullptr;  // and says what it says by now
    if (m_sheet.isShown() && (turned || moved || isToBeRead)) inspectPreset(static_cast<int>(*place));
}

void PresetsPage::chooseNothing() {
    m_sheet.drop();
    m_view->selectionModel()->clear();
    m_toDoView->selectionModel()->clear();
}

void PresetsPage::showToDo() {
    std::vector<Card> cards;
    for (const NameToDo& name : m_toDo) {
        Card card;
        card.title = format::text(name.name);
        card.tone = Tone::caution;
        card.status = tr("%n preset(s) share this name and nothing says which one is meant", nullptr, static_cast<int>(name.presets));
        card.detail = format::text(name.problem.hint);
        cards.push_back(std::move(card));
    }
    m_toDoView->cards()->set(std::move(cards));
    m_toDoView->setVisible(!m_toDo.empty());
    m_nothingToDo->setVisible(m_toDo.empty());
    m_toDoSection->setNote(m_toDo.empty() ? QString() : tr("%n to do", nullptr, static_cast<int>(m_toDo.size())));
    // Nobody can say while the workspace holds an error.
    const auto workspace = m_context.document->workspace();
    m_toDoSection->setVisible(workspace && workspace->snapshot && m_model->rows() > 0);
}

void PresetsPage::askTraffic() {
    if (m_model->rows() == 0) return;
    evidence::HistoryFilter filter;
    filter.range = m_context.view->range();
    m_ticket = m_context.bridge->ask<evidence::PresetSeries>(
        [filter](evidence::HistoryReader& reader, const evidence::CancelToken& cancel) { return reader.presetsOverTime(filter, 1, cancel); },
        [this](Result<evidence::PresetSeries> series) {
            m_trafficProblem = series ? QString() : format::text(series.error().message);
            m_model->setTraffic(series ? std::optional(std::move(*series)) : std::nullopt);
            showKnown();
            say();
        });
}

void PresetsPage::say() {
    if (m_model->rows() == 0) {
        Q_EMIT answerChanged(tr("No routing table is open."));
        return;
    }
    int callable = 0, known = 0, used = 0;
    for (int row = 0; row < m_model->rows(); ++row) {
        const PresetRow& preset = *m_model->at(row);
        known += preset.target.has_value() ? 1 : 0;
        callable += preset.target && *preset.target ? 1 : 0;
        used += preset.requests.value_or(0) > 0 ? 1 : 0;
    }
    QStringList parts{known == 0 ? tr("%n preset(s); the workspace holds an error, so nobody can say what serves them.", nullptr, m_model->rows())
                                 : tr("%1 of %n preset(s) have an endpoint that can be called.", nullptr, m_model->rows()).arg(callable)};
    if (m_model->total()) parts << tr("%1 of them served requests in the last %2.").arg(used).arg(format::seconds(m_context.view->span()));
    if (!m_trafficProblem.isEmpty()) parts << tr("Shares are unknown: %1.").arg(m_trafficProblem);
    if (!m_toDo.empty()) parts << tr("%n name(s) have no natural preset.", nullptr, static_cast<int>(m_toDo.size()));
    Q_EMIT answerChanged(parts.join(QLatin1Char(' ')));
}

PresetsInspector PresetsPage::inspectorOf(int row) const { return {m_context.document->table(), *m_model->at(row), m_model->total(), m_context.go}; }

void PresetsPage::inspectPreset(int row) {
    if (m_model->at(row) == nullptr) return;
    const std::size_t preset = m_model->at(row)->index;
    QString why;
    QWidget* form = m_editor->form(preset, why);
    m_inspected = preset;
    m_inspectedName.reset();
    if (form == nullptr) return m_sheet.show(inspectorOf(row).facts(why), tr("Preset"));
    auto* known = new FactList;
    m_sheet.show(inspectorOf(row).sheet(form, m_commands->makeRowButtons(), known), tr("Preset"), known);
    showKnown();
}

bool PresetsPage::isInspected(std::size_t preset) const { return m_sheet.isShown() && !m_inspectedName && m_inspected == preset; }

void PresetsPage::showKnown() {
    if (m_sheet.facts() == nullptr) return;
    for (int row = 0; row < m_model->rows(); ++row)
        if (m_model->at(row)->index == m_inspected) inspectorOf(row).fillKnown(m_sheet.facts());
}

void PresetsPage::inspectName(int row) {
    if (row < 0 || row >= static_cast<int>(m_toDo.size())) return;
    const NameToDo& name = m_toDo[static_cast<std::size_t>(row)];
    auto* facts = new FactList;
    facts->addId(tr("Name"), format::text(name.name));
    facts->addText(tr("Presets"), tr("%n share it", nullptr, static_cast<int>(name.presets)));
    facts->addText(tr("Why"), format::text(name.problem.message));
    facts->addText(tr("To do"), format::text(name.problem.hint));
    m_inspectedName = name.name;
    m_sheet.show(facts, tr("Name without a natural preset"));
}

void PresetsPage::showEvent(QShowEvent* event) {
    Page::showEvent(event);
    say();
}

// Beside an open inspector, which has the model in full, the keys need the room.
void PresetsPage::resizeEvent(QResizeEvent* event) {
    Page::resizeEvent(event);
    m_view->setColumnHidden(PresetsModel::Model, width() < kRoomForModel);
}

void PresetsPage::open(const QVariantMap& arguments) {
    const QString key = arguments.value(QStringLiteral("preset")).toString();
    const int row = m_model->rowOf(key);
    m_view->selectSourceRow(row);
    // The way back, or a link, may name one that an edit took away: nothing of another one may stand for it.
    if (row < 0 && !key.isEmpty()) {
        chooseNothing();
        m_context.say(tr("There is no preset %1 in what is open").arg(key));
    }
    // Where it was the current one already, nothing was told.
    if (m_model->at(row) != nullptr && !isInspected(m_model->at(row)->index)) inspectPreset(row);
}

QVariantMap PresetsPage::state() const {
    const int row = m_view->currentSourceRow();
    return m_model->at(row) == nullptr ? QVariantMap() : QVariantMap{{QStringLiteral("preset"), format::text(m_model->preset(row).presetKey)}};
}

QList<QAction*> PresetsPage::pageActions() const { return m_commands->actions(); }

QList<Page::Findable> PresetsPage::findables() const {
    QList<Findable> all;
    for (int row = 0; row < m_model->rows(); ++row) {
        const QString key = format::text(m_model->preset(row).presetKey);
        all << Findable{key, tr("preset"), {{QStringLiteral("preset"), key}}};
    }
    return all;
}

}  // namespace signalbox::ui
