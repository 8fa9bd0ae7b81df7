// SPDX-License-Identifier: MIT
#pragma once

#include "router/table/types.h"
#include "ui/bridge/bridge.h"
#include "ui/pages/page_sheet.h"

#include <QTimer>

#include <memory>
#include <optional>
#include <string>

class QLabel;

namespace signalbox::ui {

class CardList;
class FactList;
class PresetsEditor;
class PresetsModel;
class RowCommands;
class Section;
class TableView;
class ToneLabel;
struct NameToDo;
struct PresetsInspector;

/// "Does what runs match what the preset says?" Every preset with its endpoint, the rules that lead to it and its share
/// of traffic; and the names that clients may send although no preset is theirs. Presets of a table of ours are edited in
/// the inspector.
class PresetsPage : public Page {
    Q_OBJECT
public:
    explicit PresetsPage(PageContext context, QWidget* parent = nullptr);
    ~PresetsPage() override;
    [[nodiscard]] QString id() const override { return QStringLiteral("presets"); }
    [[nodiscard]] QString name() const override { return tr("Presets"); }
    [[nodiscard]] QString question() const override;
    [[nodiscard]] QString iconName() const override { return QStringLiteral("presets"); }
    /// `preset` = key.
    void open(const QVariantMap& arguments) override;
    [[nodiscard]] QVariantMap state() const override;
    [[nodiscard]] QList<Findable> findables() const override;
    [[nodiscard]] QList<QAction*> pageActions() const override;

protected:
    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void makeLayout();
    void connectSources();
    void connectEditing();
    void takeWorkspace();
    void askTraffic();
    void followPreset(std::optional<std::size_t> place, bool turned);
    void chooseNothing();
    void showToDo();
    void say();
    void inspectPreset(int row);
    void inspectName(int row);
    [[nodiscard]] bool isInspected(std::size_t preset) const;
    [[nodiscard]] PresetsInspector inspectorOf(int row) const;
    void showKnown();
    void showOrderNote();

    PageSheet m_sheet{m_context};  ///< of a preset, or of a name without a natural one
    PresetsModel* m_model;
    TableView* m_view;
    CardList* m_toDoView;
    QLabel* m_orderNote;
    ToneLabel* m_nothingToDo;
    PresetsEditor* m_editor;
    RowCommands* m_commands;
    bool m_wasEditable = false;
    std::shared_ptr<const table::RoutingTable> m_table;  ///< that is shown
    std::size_t m_inspected = 0;                          ///< the preset whose sheet it is
    std::optional<std::string> m_inspectedName;           ///< or the name
    Section* m_toDoSection = nullptr;
    std::vector<NameToDo> m_toDo;
    QString m_trafficProblem;
    TicketPtr m_ticket;
    QTimer m_settle;  ///< decisions arrive many times a second; the shares follow at most every two
};

}  // namespace signalbox::ui
