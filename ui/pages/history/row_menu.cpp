// SPDX-License-Identifier: MIT
#include "ui/pages/history/row_menu.h"

#include "ui/models/record_words.h"
#include "ui/pages/history/history_words.h"
#include "ui/theme/format.h"

#include <QCoreApplication>
#include <QMenu>

#include <set>

namespace signalbox::ui {

namespace {

using Choose = std::function<void(const HistoryQuery&)>;

class RowMenu {
    Q_DECLARE_TR_FUNCTIONS(RowMenu)
public:
    RowMenu(QMenu* menu, const HistoryQuery& query, const Choose& choose) : m_menu(menu), m_query(query), m_choose(choose) {}

    void fill(const evidence::DecisionRecord& record) {
        const auto text = [](const std::string& data) { return format::text(data); };
        const std::string& answered = record.endpointId;
        if (!answered.empty()) add(tr("Only answered by %1").arg(text(answered)), &HistoryQuery::endpoint, answered);
        std::set<std::string> tried;
        for (const auto& attempt : record.attempts) tried.insert(attempt.endpointId);
        for (const std::string& endpoint : tried) add(tr("Only tried at %1").arg(text(endpoint)), &HistoryQuery::attempted, endpoint);
        const std::string& model = record.requestedModel;
        if (!model.empty()) add(tr("Only model %1").arg(askedName(model)), &HistoryQuery::model, model);
        if (record.presetKey) add(tr("Only preset %1").arg(text(*record.presetKey)), &HistoryQuery::preset, *record.presetKey);
        if (record.ruleIndex) add(tr("Only rule %1").arg(*record.ruleIndex + 1), &HistoryQuery::rule, *record.ruleIndex);
        if (record.family) add(tr("Only family %1").arg(text(*record.family)), &HistoryQuery::family, *record.family);
        if (record.group) add(tr("Only group %1").arg(text(record.group->groupId)), &HistoryQuery::group, record.group->groupId);
        if (!record.team.empty()) add(tr("Only team %1").arg(text(record.team)), &HistoryQuery::team, record.team);
        add(tr("Only %1").arg(words::outcome(record.outcome)), &HistoryQuery::outcome, record.outcome);
    }

private:
    template <class T>
    void add(QString text, std::optional<T> HistoryQuery::*field, const T& value) {
        HistoryQuery wanted = m_query;
        wanted.*field = value;
        // Names are data: an ampersand in one marks no shortcut.
        text.replace(QLatin1Char('&'), QStringLiteral("&&"));
        QAction* action = m_menu->addAction(text, m_menu, [choose = m_choose, wanted] { choose(wanted); });
        action->setEnabled(wanted != m_query);
        action->setCheckable(wanted == m_query);
        action->setChecked(wanted == m_query);
    }

    QMenu* m_menu;
    const HistoryQuery& m_query;
    const Choose& m_choose;
};

}  // namespace

void fillRowMenu(QMenu* menu, const evidence::DecisionRecord& record, const HistoryQuery& query,
                 const std::function<void(const HistoryQuery&)>& choose) {
    RowMenu(menu, query, choose).fill(record);
}

}  // namespace signalbox::ui
