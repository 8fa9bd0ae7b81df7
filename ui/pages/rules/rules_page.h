// SPDX-License-Identifier: MIT
#pragma once

#include "ui/bridge/bridge.h"
#include "ui/pages/page_sheet.h"
#include "ui/pages/rules/family_view.h"

#include <QTimer>

#include <optional>

class QLabel;
class QStackedWidget;

namespace signalbox::ui {

class CoverageMatrix;
class EmptyState;
class FamilyStrip;
class GapsPanel;
class ReadOnlyBanner;
class RulesColumn;
class RulesEditor;
class Section;
struct RulesInspector;

/// "Does each rule pay off, and why does it not fire?" The rules of a family beside the matrix of where every kind of
/// request lands, and the declared gaps under it. Attending to a rule lights its cells; attending to a cell lights what
/// decides it. Rules and gaps of a table of ours are edited in the inspector; matrix and hits follow the draft.
class RulesPage : public Page {
    Q_OBJECT
public:
    explicit RulesPage(PageContext context, QWidget* parent = nullptr);
    ~RulesPage() override;
    [[nodiscard]] QString id() const override { return QStringLiteral("rules"); }
    [[nodiscard]] QString name() const override { return tr("Rules"); }
    [[nodiscard]] QString question() const override;
    [[nodiscard]] QString iconName() const override { return QStringLiteral("rules"); }
    /// `family` = label; `rule`, `gap` = index into the table's rules or gaps; `cell` = Cell::index(). With a `mark`, as the
    /// way back has one, the rule or gap is the one that has that mark (rule_marks.h), wherever it stands by now.
    void open(const QVariantMap& arguments) override;
    [[nodiscard]] QVariantMap state() const override;
    [[nodiscard]] QList<Findable> findables() const override;
    [[nodiscard]] QList<QAction*> pageActions() const override;

protected:
    void showEvent(QShowEvent* event) override;

private:
    enum class Kind { nothing, rule, gap, cell };

    void makeLayout();
    QWidget* makeMatrixColumn();
    void connectSources();
    void connectLists();
    void connectEditing();
    void takeTable();
    [[nodiscard]] std::optional<std::size_t> placeOfChosen(const table::RoutingTable& before, const table::RoutingTable& now) const;
    void follow(Kind chosen, std::optional<std::size_t> place);
    void showChosen();
    bool select(Kind kind, std::size_t index);
    void chooseNothing();
    void chooseFamily(std::size_t index);
    void showFamily(std::size_t index);
    void showCards();
    void askHits();
    void askCaps();
    void takeHits(const Result<evidence::CellHits>& hits);
    void say();
    void attendCell(const std::optional<table::Cell>& cell);
    void inspectRule(std::size_t rule);
    void inspectGap(std::size_t gap);
    void inspectForm(QWidget* form, QWidget* buttons, const QString& title);
    [[nodiscard]] RulesInspector inspector() const;
    void fillFacts();
    [[nodiscard]] QVariantMap filterOfChosen() const;
    void inspectCell(const table::Cell& cell);
    void goToRule(std::size_t rule);
    void goToGap(std::size_t gap);
    void goToCell(table::Cell cell);
    [[nodiscard]] std::optional<std::size_t> ruleOf(const QVariantMap& arguments) const;
    [[nodiscard]] std::optional<std::size_t> gapOf(const QVariantMap& arguments) const;
    [[nodiscard]] QString whatIsGone(const QVariantMap& arguments) const;
    [[nodiscard]] std::optional<std::size_t> indexOfFamily(const std::string& family) const;

    PageSheet m_sheet{m_context};  ///< of what is chosen
    table::Coverage m_coverage;
    std::optional<FamilyView> m_view;
    std::size_t m_family = 0;
    std::optional<evidence::CellHits> m_hits;
    std::string m_hitsFamily;
    QString m_hitsProblem;
    std::optional<evidence::CellCaps> m_caps;  ///< of the same family
    TicketPtr m_ticket, m_capsTicket;
    QTimer m_settle;  ///< decisions arrive many times a second; the hits follow at most every two
    QTimer m_capsSettle;

    QStackedWidget* m_stack;
    ReadOnlyBanner* m_banner;
    EmptyState* m_empty;
    FamilyStrip* m_strip;
    RulesColumn* m_rules;
    GapsPanel* m_gaps;
    Section* m_matrixSection = nullptr;
    CoverageMatrix* m_matrix;
    QLabel* m_attended;
    RulesEditor* m_editor;
    bool m_wasEditable = false;
    Kind m_chosen = Kind::nothing;  ///< what was looked at last in this family, and its index
    std::size_t m_chosenIndex = 0;
};

}  // namespace signalbox::ui
