// SPDX-License-Identifier: MIT
#include "ui/pages/history/filter_bar.h"

#include "ui/models/group_words.h"
#include "ui/models/record_words.h"
#include "ui/pages/history/history_words.h"
#include "ui/widgets/basics.h"
#include "ui/widgets/coverage/table_words.h"
#include "ui/widgets/wrap_layout.h"
#include "ui/theme/format.h"

#include <QMenu>
#include <QPushButton>

namespace signalbox::ui {

FilterBar::FilterBar(QWidget* parent)
    : QWidget(parent), m_add(makeButton(tr("Add filter"), QStringLiteral("filter"))), m_menu(new QMenu(this)), m_line(new WrapLayout),
      m_clear(makeButton(tr("Clear all"), {}, ButtonRole::quiet)) {
    setAccessibleName(tr("Filters"));
    m_add->setObjectName(QStringLiteral("addFilter"));
    m_add->setToolTip(tr("Add filter (Ctrl+F)"));
    m_add->setMenu(m_menu);
    m_clear->setObjectName(QStringLiteral("clearFilters"));
    m_clear->hide();
    m_line->addWidget(m_add);
    m_line->addWidget(m_clear);
    setLayout(m_line);
    connect(m_menu, &QMenu::aboutToShow, this, &FilterBar::fillMenu);
    connect(m_clear, &QPushButton::clicked, this, [this] { Q_EMIT changed({}); });
}

void FilterBar::setQuery(const HistoryQuery& query) {
    if (query == m_query) return;
    m_query = query;
    showChips();
}

void FilterBar::setTable(std::shared_ptr<const table::RoutingTable> table) { m_table = std::move(table); }

void FilterBar::setGroups(std::vector<std::string> groups) { m_groups = std::move(groups); }

void FilterBar::openMenu() { m_add->showMenu(); }

// Names of presets and groups are data: an ampersand in one marks no shortcut.
static QString literally(QString text) { return text.replace(QLatin1Char('&'), QStringLiteral("&&")); }

void FilterBar::addChoice(QMenu* menu, const QString& text, const HistoryQuery& query, bool chosen) {
    QAction* action = menu->addAction(literally(text), this, [this, query] { Q_EMIT changed(query); });
    action->setCheckable(true);
    action->setChecked(chosen);
}

void FilterBar::fillPresets(QMenu* menu) {
    for (const auto& preset : m_table->presets) {
        HistoryQuery query = m_query;
        query.preset = preset.presetKey;
        addChoice(menu, format::text(preset.presetKey), query, m_query.preset == query.preset);
    }
    menu->addSeparator();
    HistoryQuery none = m_query;
    none.preset = std::string();
    addChoice(menu, tr("No preset"), none, m_query.preset == none.preset);
}

void FilterBar::fillRules(QMenu* menu) {
    for (std::uint32_t i = 0; i < m_table->rules.size(); ++i) {
        HistoryQuery query = m_query;
        query.rule = i;
        const auto& rule = m_table->rules[i];
        addChoice(menu, tr("%1  %2: %3").arg(i + 1).arg(format::text(rule.modelFamily), words::when(rule.when)), query, m_query.rule == query.rule);
    }
}

void FilterBar::fillMenu() {
    m_menu->clear();
    for (QMenu* last : m_menu->findChildren<QMenu*>(QString(), Qt::FindDirectChildrenOnly)) last->deleteLater();  // of the last time
    if (m_table) {
        fillPresets(m_menu->addMenu(tr("Preset")));
        if (!m_table->rules.empty()) fillRules(m_menu->addMenu(tr("Rule")));
        QMenu* families = m_menu->addMenu(tr("Family"));
        for (const std::string& family : m_table->families()) {
            HistoryQuery query = m_query;
            query.family = family;
            addChoice(families, format::text(family), query, m_query.family == query.family);
        }
    }
    const FilterNames names = m_names ? m_names() : FilterNames();
    fillEndpoints(names.endpoints);
    fillModels(names);
    fillTeams(names.teams);
    if (!m_groups.empty()) fillGroups(m_menu->addMenu(tr("Smart group")));
    QMenu* coverage = m_menu->addMenu(tr("Coverage"));
    for (const char* word : {"rule", "default", "gap", "none"}) {
        HistoryQuery query = m_query;
        query.coverage = word;
        addChoice(coverage, coverageChoice(word), query, m_query.coverage == query.coverage);
    }
    QMenu* outcomes = m_menu->addMenu(tr("Outcome"));
    using evidence::Outcome;
    for (const Outcome outcome : {Outcome::served, Outcome::failed, Outcome::refused, Outcome::cancelled}) {
        HistoryQuery query = m_query;
        query.outcome = outcome;
        addChoice(outcomes, words::outcome(outcome), query, m_query.outcome == query.outcome);
    }
}

// Who answered, and who was tried: a request that failed was answered by nobody.
void FilterBar::fillEndpoints(const std::vector<std::string>& known) {
    if (known.empty()) return;
    fillEndpoints(m_menu->addMenu(tr("Endpoint that answered")), known, &HistoryQuery::endpoint);
    fillEndpoints(m_menu->addMenu(tr("Endpoint that was tried")), known, &HistoryQuery::attempted);
}

// An imported provider alone may have hundreds of models.
void FilterBar::fillEndpoints(QMenu* menu, const std::vector<std::string>& known, std::optional<std::string> HistoryQuery::*field) {
    constexpr std::size_t kMostInOneMenu = 24;
    QMenu* of = menu;
    std::string provider;
    for (const std::string& endpoint : known) {
        const std::string its = endpoint.substr(0, endpoint.find(':'));
        if (known.size() > kMostInOneMenu && (its != provider || of == menu)) of = menu->addMenu(literally(format::text(its)));
        provider = its;
        HistoryQuery query = m_query;
        query.*field = endpoint;
        addChoice(of, format::text(endpoint), query, m_query.*field == endpoint);
    }
}

void FilterBar::addModels(QMenu* menu, const std::vector<std::string>& models) {
    for (const std::string& model : models) {
        HistoryQuery query = m_query;
        query.model = model;
        addChoice(menu, askedName(model), query, m_query.model == query.model);
    }
}

// What was asked for in the rows that were read is what one looks for; a policy may name hundreds more.
void FilterBar::fillModels(const FilterNames& names) {
    if (names.askedModels.empty() && names.otherModels.empty()) return;
    QMenu* menu = m_menu->addMenu(tr("Model asked for"));
    addModels(menu, names.askedModels);
    if (names.otherModels.empty()) return;
    addModels(names.askedModels.empty() ? menu : menu->addMenu(tr("Other names of the policy")), names.otherModels);
}

void FilterBar::fillTeams(const std::vector<std::string>& teams) {
    if (teams.empty()) return;
    QMenu* menu = m_menu->addMenu(tr("Team"));
    const auto add = [this, menu](const QString& text, const std::string& team) {
        HistoryQuery query = m_query;
        query.team = team;
        addChoice(menu, text, query, m_query.team == query.team);
    };
    for (const std::string& team : teams) add(format::text(team), team);
    menu->addSeparator();
    add(tr("No team"), {});
}

void FilterBar::fillGroups(QMenu* menu) {
    QMenu* names = menu->addMenu(tr("Group"));
    for (const std::string& group : m_groups) {
        HistoryQuery query = m_query;
        query.group = group;
        addChoice(names, format::text(group), query, m_query.group == query.group);
    }
    QMenu* profiles = menu->addMenu(tr("Profile"));
    for (const char* profile : {"quality", "balanced", "economy", "latency"}) {
        HistoryQuery query = m_query;
        query.profile = profile;
        addChoice(profiles, words::profile(profile), query, m_query.profile == query.profile);
    }
    QMenu* modes = menu->addMenu(tr("Mode"));
    for (const char* mode : {"off_static", "shadow", "canary_control", "active"}) {
        HistoryQuery query = m_query;
        query.mode = mode;
        addChoice(modes, words::mode(mode), query, m_query.mode == query.mode);
    }
    QMenu* terms = menu->addMenu(tr("Why it differs"));
    for (const char* term : {"quality", "cost", "latency", "reliability", "affinity"}) {
        HistoryQuery query = m_query;
        query.decidingTerm = term;
        addChoice(terms, words::decidedBy(term), query, m_query.decidingTerm == query.decidingTerm);
    }
    menu->addSeparator();
    for (const bool differs : {true, false}) {
        HistoryQuery query = m_query;
        query.disagreement = differs;
        addChoice(menu, chipText(query, HistoryQuery::Field::disagreement), query, m_query.disagreement == query.disagreement);
    }
}

void FilterBar::showChips() {
    for (QPushButton* chip : m_chips) {
        chip->hide();
        chip->deleteLater();
    }
    m_chips.clear();
    for (const HistoryQuery::Field field : kHistoryFields) {
        if (!m_query.has(field)) continue;
        const QString text = chipText(m_query, field);
        auto* chip = makeButton(literally(text), QStringLiteral("close"));
        chip->setLayoutDirection(Qt::RightToLeft);  // the cross stands behind the words
        chip->setProperty("chip", true);
        chip->setAccessibleName(tr("Remove filter %1").arg(text));
        chip->setToolTip(tr("Remove this filter"));
        connect(chip, &QPushButton::clicked, this, [this, field] { Q_EMIT changed(m_query.without(field)); });
        m_line->insertWidget(m_line->count() - 1, chip);  // before "Clear all"
        m_chips.push_back(chip);
    }
    m_clear->setVisible(!m_query.isUnfiltered());
}

}  // namespace signalbox::ui
