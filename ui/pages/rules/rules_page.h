// SPDX-License-Identifier: MIT
#pragma once

#include "ui/bridge/bridge.h"
#include "ui/pages/page.h"
#include "ui/pages/rules/family_view.h"

#include <QTimer>

#include <optional>

class QLabel;
class QStackedWidget;
class QVBoxLayout;

namespace signalbox::ui {

class CardList;
class CoverageMatrix;
class EmptyState;
class FamilyStrip;
class Section;

/// "Does each rule pay off, and why does it not fire?" The rules and gaps of a family beside the matrix of where every
/// kind of request lands. Attending to a rule lights its cells; attending to a cell lights what decides it.
class RulesPage : public Page {
    Q_OBJECT
public:
    explicit RulesPage(PageContext context, QWidget* parent = nullptr);
    ~RulesPage() override;
    [[nodiscard]] QString id() const override { return QStringLiteral("rules"); }
    [[nodiscard]] QString name() const override { return tr("Rules"); }
    [[nodiscard]] QString question() const override;
    [[nodiscard]] QString iconName() const override { return QStringLiteral("rules"); }
    /// `family` = label; `rule` = index into the table's rules; `cell` = Cell::index().
    void open(const QVariantMap& arguments) override;
    [[nodiscard]] QVariantMap state() const override;
    [[nodiscard]] QList<Findable> findables() const override;

protected:
    void showEvent(QShowEvent* event) override;

private:
    void makeLayout();
    QWidget* makeRulesColumn();
    QWidget* makeMatrixColumn();
    void connectSources();
    void takeTable();
    void showFamily(std::size_t index);
    void showCards();
    void askHits();
    void takeHits(const Result<evidence::CellHits>& hits);
    void say();
    [[nodiscard]] QString coverageSentence() const;
    void attendCell(const std::optional<table::Cell>& cell);
    void inspectRule(int row);
    void inspectGap(int row, const std::vector<std::size_t>& gaps);
    void inspectCell(const table::Cell& cell);
    [[nodiscard]] std::optional<std::size_t> familyOfRule(std::size_t rule) const;

    table::Coverage m_coverage;
    std::optional<FamilyView> m_view;
    std::size_t m_family = 0;
    std::optional<evidence::CellHits> m_hits;
    QString m_hitsProblem;
    TicketPtr m_ticket;
    QTimer m_settle;  ///< decisions arrive many times a second; the hits follow at most every two

    QStackedWidget* m_stack;
    QVBoxLayout* m_rulesColumn = nullptr;
    EmptyState* m_empty;
    FamilyStrip* m_strip;
    Section* m_rulesSection = nullptr;
    Section* m_gapsSection = nullptr;
    Section* m_proseSection = nullptr;
    Section* m_matrixSection = nullptr;
    CardList* m_rules;
    CardList* m_gaps;
    CardList* m_prose;
    CoverageMatrix* m_matrix;
    QLabel* m_attended;
    QLabel* m_noRules;
};

}  // namespace signalbox::ui
