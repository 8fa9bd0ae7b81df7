// SPDX-License-Identifier: MIT
#pragma once

#include "ui/bridge/bridge.h"
#include "ui/pages/access/access_edits.h"
#include "ui/pages/access/new_entry_form.h"
#include "ui/pages/page.h"

#include <QPointer>

#include <array>
#include <optional>

class QStackedWidget;
class QTabBar;

namespace signalbox::ui {

class AccessModel;
class FactList;
class FieldForm;
class TableView;

/// "Who may send what, and at whose cost?" Principals, providers, prices and aliases of gateway.toml; what is selected is
/// edited in the inspector, each value written to the draft by itself.
class AccessPage : public Page {
    Q_OBJECT
public:
    explicit AccessPage(PageContext context, QWidget* parent = nullptr, config::Environment environment = config::processEnvironment());
    ~AccessPage() override;
    [[nodiscard]] QString id() const override { return QStringLiteral("access"); }
    [[nodiscard]] QString name() const override { return tr("Access"); }
    [[nodiscard]] QString question() const override;
    [[nodiscard]] QString iconName() const override { return QStringLiteral("access"); }
    [[nodiscard]] RangeUse rangeUse() const override { return RangeUse::none; }
    /// `list` = principals, providers, prices or aliases; with `name`, and `model` of a price, what to select there.
    void open(const QVariantMap& arguments) override;
    [[nodiscard]] QVariantMap state() const override;
    [[nodiscard]] QList<QAction*> pageActions() const override;
    [[nodiscard]] QList<Findable> findables() const override;

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    struct View {
        AccessModel* model;
        TableView* table;
    };
    static constexpr std::size_t kLists = 4;

    void makeLayout();
    void makeActions();
    void connectSources();
    [[nodiscard]] View& view(AccessList list) { return m_views[static_cast<std::size_t>(list)]; }
    [[nodiscard]] AccessList currentList() const;
    [[nodiscard]] const AccessKey* currentKey() const;
    [[nodiscard]] std::shared_ptr<const config::GatewayConfig> config() const;
    [[nodiscard]] AccessFacts facts() const;

    void takeDraft();
    void takeUse();
    void fillRows();
    void showList(AccessList list);
    void select(const AccessKey& key);
    void inspect(const AccessKey& key);
    void refreshSheet();
    void dropSheet();
    void updateActions();
    void add();
    void offerNew(AccessList list, const NewEntryForm::Values& start);
    void create(AccessList list, const NewEntryForm::Values& values, NewEntryForm* form);
    void duplicate();
    void remove();

    config::Environment m_environment;
    std::array<View, kLists> m_views{};
    QTabBar* m_tabs;
    QStackedWidget* m_stack;
    QAction* m_add;
    QAction* m_duplicate;
    QAction* m_remove;
    Bridge::Interest m_interest;

    std::optional<AccessKey> m_shown;   ///< in the inspector
    std::optional<AccessKey> m_wanted;  ///< to be shown as soon as the draft has it
    bool m_filling = false;             ///< rows come and go; nobody selects
    QPointer<QWidget> m_sheet;          ///< ours, while the inspector holds it
    QPointer<FactList> m_facts;
    QPointer<FieldForm> m_form;
};

}  // namespace signalbox::ui
