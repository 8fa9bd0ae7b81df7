// SPDX-License-Identifier: MIT
#pragma once

#include "ui/pages/page.h"
#include "ui/pages/rules/family_view.h"
#include "ui/pages/rules/widening.h"

#include <QPointer>

#include <functional>
#include <memory>

namespace signalbox::ui {

class GapForm;
class RuleForm;

/// Every change of rules and gaps that the rules page offers, and the forms that make them. Each change is one step of
/// the draft; what the draft refuses is said at its field.
class RulesEditor : public QObject {
    Q_OBJECT
public:
    explicit RulesEditor(const PageContext& context, QObject* parent = nullptr);

    [[nodiscard]] bool canEdit() const;
    /// A form for the rule; null where it is to be read only, with the reason in `why` if it is the rule's own.
    [[nodiscard]] QWidget* ruleForm(std::size_t rule, QString& why);
    [[nodiscard]] QWidget* gapForm(std::size_t gap, QString& why);
    /// Fills the inspector with a form for a new rule or gap of the family; `cell` is what it begins with.
    void startRule(const std::string& family, const std::optional<table::Cell>& cell);
    void startGap(const std::string& family, const std::optional<table::Cell>& cell);

    void duplicateRule(std::size_t rule);
    void removeRule(std::size_t rule);
    void moveRule(std::size_t from, std::size_t to);
    void duplicateGap(std::size_t gap);
    void removeGap(std::size_t gap);
    void moveGap(std::size_t from, std::size_t to);

    /// Takes the draft as it is now into the open form.
    void refresh();

Q_SIGNALS:
    /// The index of what was added or moved.
    void wantsRule(std::size_t rule);
    void wantsGap(std::size_t gap);

private:
    using TextEdit = std::function<Result<std::string>(std::string_view)>;
    [[nodiscard]] const table::RoutingTable& table() const;
    bool apply(const QString& label, const TextEdit& edit);
    void changeRule(std::size_t rule, const QString& key, const QString& name);
    void changeGap(std::size_t gap, const QString& key, const QString& name);
    void fillRule(std::size_t rule);
    void fillGap(std::size_t gap);
    [[nodiscard]] Findings allFindings() const;
    /// Of a rule of the draft, against the table as it was read or saved last.
    [[nodiscard]] int newlyPermittedBy(const table::RoutingRule& rule) const;

    PageContext m_context;
    QPointer<RuleForm> m_ruleForm;
    QPointer<GapForm> m_gapForm;
    std::size_t m_index = 0;  ///< of what the open form shows
};

}  // namespace signalbox::ui
