// SPDX-License-Identifier: MIT
#include "ui/pages/presets/presets_page.h"

#include "ui/document/policy_document.h"
#include "ui/pages/presets/presets_model.h"
#include "ui/widgets/basics.h"
#include "ui/widgets/cards/card_list.h"
#include "ui/widgets/coverage/table_words.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/fact_list.h"
#include "ui/theme/format.h"
#include "ui/widgets/section.h"
#include "ui/widgets/table_view.h"
#include "ui/widgets/tone_label.h"

#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>

namespace signalbox::ui {

using namespace std::chrono_literals;

static constexpr int kMostToDoHeight = 220, kRoomForModel = 1080;

PresetsPage::PresetsPage(PageContext context, QWidget* parent)
    : Page(std::move(context), parent), m_model(new PresetsModel(this)), m_view(new TableView(tr("Presets"))),
      m_toDoView(new CardList(tr("Names without a natural preset"))),
      m_nothingToDo(new ToneLabel(Tone::clear, tr("Every name that clients may send leads to one preset"))) {
    makeLayout();
    connectSources();
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
    layout->addWidget(makeHairline());
    layout->addWidget(m_view, 1);
    layout->addWidget(m_toDoSection);
}

void PresetsPage::connectSources() {
    m_settle.setSingleShot(true);
    m_settle.setInterval(2s);
    connect(&m_settle, &QTimer::timeout, this, &PresetsPage::askTraffic);
    connect(m_context.view, &ViewState::rangeChanged, this, &PresetsPage::askTraffic);
    connect(m_context.bridge, &Bridge::decisionsArrived, this, [this] {
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

void PresetsPage::takeWorkspace() {
    const auto workspace = m_context.document->workspace();
    m_model->set(workspace ? workspace->table.table : nullptr, workspace ? presetRows(*workspace) : std::vector<PresetRow>{});
    m_toDo = workspace ? namesWithoutNaturalPreset(*workspace) : std::vector<NameToDo>{};
    showToDo();
    askTraffic();
    say();
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

static QString orNone(const std::optional<std::string>& text) { return text ? format::text(*text) : QString(); }

static QString joined(const std::vector<std::string>& texts) {
    QStringList list;
    for (const std::string& text : texts) list << format::text(text);
    return list.join(QStringLiteral(", "));
}

static void addEndpoint(FactList* facts, const PresetRow& row) {
    if (!row.target) {
        facts->addTone(PresetsPage::tr("Endpoint"), Tone::idle, PresetsPage::tr("unknown: the workspace holds an error"));
        return;
    }
    if (*row.target) {
        facts->addTone(PresetsPage::tr("Endpoint"), Tone::clear, PresetsPage::tr("can be called"));
        facts->addId(PresetsPage::tr("Provider"), format::text((*row.target)->providerId));
        facts->addId(PresetsPage::tr("Asked as"), format::text((*row.target)->model));
        return;
    }
    facts->addTone(PresetsPage::tr("Endpoint"), Tone::danger, PresetsPage::tr("none to call"));
    facts->addText(PresetsPage::tr("Why"), format::text(row.target->error().message));
    facts->addText(PresetsPage::tr("To do"), format::text(row.target->error().hint));
}

void PresetsPage::inspectPreset(int index) {
    const PresetRow* row = m_model->at(index);
    if (row == nullptr) return;
    const table::Preset& preset = m_model->preset(index);
    auto* sheet = new QWidget;
    auto* layout = new QVBoxLayout(sheet);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(Theme::kGapWide);
    auto* facts = new FactList;
    facts->addId(tr("Preset"), format::text(preset.presetKey));
    facts->addId(tr("Model"), format::text(preset.model));
    if (preset.servedModelName) facts->addId(tr("Served as"), format::text(*preset.servedModelName));
    else facts->addText(tr("Served as"), QString());
    facts->addId(tr("Family"), format::text(preset.modelFamily));
    facts->addText(tr("K"), preset.specDecodeK == 1 ? tr("1, no speculative decoding") : tr("%1 draft tokens").arg(preset.specDecodeK));
    facts->addText(tr("Max sequences"), QString::number(preset.maxNumSeqs));
    if (isKnownRole(preset.role)) facts->addText(tr("Role"), orNone(preset.role));
    else facts->addTone(tr("Role"), Tone::caution, tr("%1, not a role of the contract").arg(orNone(preset.role)));
    facts->addText(tr("Intended for"), joined(preset.intendedWorkloads));
    facts->addText(tr("Default"), preset.defaultForFamily ? tr("yes, of its family") : tr("no"));
    if (row->requests) facts->addText(tr("Requests"), tr("%1, %2 of all in the range").arg(format::count(*row->requests), format::share(*row->requests, m_model->total().value_or(0))));
    layout->addWidget(facts);
    layout->addWidget(makeHairline());
    auto* served = new FactList;
    addEndpoint(served, *row);
    layout->addWidget(served);
    layout->addWidget(makeHairline());
    layout->addWidget(makeHeading(row->rules.empty() ? tr("No rule leads to it") : tr("Rules that lead to it")));
    const auto table = m_context.document->table();
    for (const std::size_t rule : row->rules) {
        if (!table || rule >= table->rules.size()) continue;
        auto* button = makeButton(tr("Show rule %1").arg(rule), QStringLiteral("rules"));
        connect(button, &QPushButton::clicked, sheet, [go = m_context.go, rule] { go(QStringLiteral("rules"), {{QStringLiteral("rule"), static_cast<int>(rule)}}); });
        layout->addWidget(makeLabel(words::when(table->rules[rule].when)));
        layout->addWidget(button);
    }
    auto* requests = makeButton(tr("Show its requests"), QStringLiteral("history"));
    connect(requests, &QPushButton::clicked, sheet, [go = m_context.go, key = format::text(preset.presetKey)] { go(QStringLiteral("history"), {{QStringLiteral("preset"), key}}); });
    layout->addWidget(requests);
    m_context.inspect(sheet, tr("Preset"));
}

void PresetsPage::inspectName(int row) {
    if (row < 0 || row >= static_cast<int>(m_toDo.size())) return;
    const NameToDo& name = m_toDo[static_cast<std::size_t>(row)];
    auto* facts = new FactList;
    facts->addId(tr("Name"), format::text(name.name));
    facts->addText(tr("Presets"), tr("%n share it", nullptr, static_cast<int>(name.presets)));
    facts->addText(tr("Why"), format::text(name.problem.message));
    facts->addText(tr("To do"), format::text(name.problem.hint));
    m_context.inspect(facts, tr("Name without a natural preset"));
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
    m_view->selectSourceRow(m_model->rowOf(arguments.value(QStringLiteral("preset")).toString()));
}

QVariantMap PresetsPage::state() const {
    const int row = m_view->currentSourceRow();
    return m_model->at(row) == nullptr ? QVariantMap() : QVariantMap{{QStringLiteral("preset"), format::text(m_model->preset(row).presetKey)}};
}

QList<Page::Findable> PresetsPage::findables() const {
    QList<Findable> all;
    for (int row = 0; row < m_model->rows(); ++row) {
        const QString key = format::text(m_model->preset(row).presetKey);
        all << Findable{key, tr("preset"), {{QStringLiteral("preset"), key}}};
    }
    return all;
}

}  // namespace signalbox::ui
