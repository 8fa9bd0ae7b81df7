// SPDX-License-Identifier: MIT
// What links and the way back say of this page.
#include "ui/document/policy_document.h"
#include "ui/pages/rules/rule_marks.h"
#include "ui/pages/rules/rules_page.h"
#include "ui/theme/format.h"
#include "ui/widgets/coverage/table_words.h"

namespace signalbox::ui {

std::optional<std::size_t> RulesPage::ruleOf(const QVariantMap& arguments) const {
    const auto table = m_context.document->table();
    if (!table) return std::nullopt;
    return marks::find(table->rules, arguments.value(QStringLiteral("rule")).toULongLong(), arguments.value(QStringLiteral("mark")).toStringList());
}

std::optional<std::size_t> RulesPage::gapOf(const QVariantMap& arguments) const {
    const auto table = m_context.document->table();
    if (!table) return std::nullopt;
    return marks::find(table->gaps, arguments.value(QStringLiteral("gap")).toULongLong(), arguments.value(QStringLiteral("mark")).toStringList());
}

// The way back, or a link, may name what an edit took away; empty when all of it is there.
QString RulesPage::whatIsGone(const QVariantMap& arguments) const {
    const QString family = arguments.value(QStringLiteral("family")).toString();
    const QVariant rule = arguments.value(QStringLiteral("rule")), gap = arguments.value(QStringLiteral("gap"));
    const QStringList mark = arguments.value(QStringLiteral("mark")).toStringList();
    if (!family.isEmpty() && !indexOfFamily(format::utf8(family))) return tr("There is no family %1 in what is open").arg(family);
    if (rule.isValid() && !ruleOf(arguments)) return marks::noSuchRule(rule.toULongLong(), mark);
    if (gap.isValid() && !gapOf(arguments)) return marks::noSuchGap(gap.toULongLong(), mark);
    return {};
}

void RulesPage::open(const QVariantMap& arguments) {
    if (const QString gone = whatIsGone(arguments); !gone.isEmpty()) {
        chooseNothing();  // nothing of another one may stand for it
        return m_context.say(gone);
    }
    const auto family = indexOfFamily(format::utf8(arguments.value(QStringLiteral("family")).toString()));
    if (family && *family != m_family) chooseFamily(*family);
    if (arguments.contains(QStringLiteral("rule"))) goToRule(*ruleOf(arguments));
    if (arguments.contains(QStringLiteral("gap"))) goToGap(*gapOf(arguments));
    const auto cell = arguments.value(QStringLiteral("cell"), -1).toInt();
    if (m_view && cell >= 0 && cell < static_cast<int>(table::kCellCount)) goToCell(table::Cell::fromIndex(static_cast<std::size_t>(cell)));
}

QVariantMap RulesPage::state() const {
    if (!m_view) return {};
    const table::RoutingTable& table = m_view->table();
    const int index = static_cast<int>(m_chosenIndex);
    QVariantMap state{{QStringLiteral("family"), format::text(m_view->coverage().family)}};
    if (m_chosen == Kind::cell) state.insert(QStringLiteral("cell"), index);
    if (m_chosen == Kind::rule && m_chosenIndex < table.rules.size())
        state.insert({{QStringLiteral("rule"), index}, {QStringLiteral("mark"), marks::of(table.rules[m_chosenIndex])}});
    if (m_chosen == Kind::gap && m_chosenIndex < table.gaps.size())
        state.insert({{QStringLiteral("gap"), index}, {QStringLiteral("mark"), marks::of(table.gaps[m_chosenIndex])}});
    return state;
}

QList<Page::Findable> RulesPage::findables() const {
    QList<Findable> all;
    for (const table::FamilyCoverage& family : m_coverage.families)
        all << Findable{format::text(family.family), tr("family"), {{QStringLiteral("family"), format::text(family.family)}}};
    const auto table = m_context.document->table();
    for (std::size_t i = 0; table && i < table->rules.size(); ++i)
        all << Findable{tr("%1 → %2").arg(words::when(table->rules[i].when), format::text(table->rules[i].presetKey)), tr("rule"),
                        {{QStringLiteral("rule"), static_cast<int>(i)}}};
    return all;
}

}  // namespace signalbox::ui
