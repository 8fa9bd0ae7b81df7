// SPDX-License-Identifier: MIT
#include "ui/pages/rules/rules_editor.h"

#include "router/table/edit.h"
#include "ui/document/policy_document.h"
#include "ui/pages/rules/gap_form.h"
#include "ui/theme/format.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace signalbox::ui {

static std::string rulePointer(std::size_t rule) { return "/routing_rules/" + std::to_string(rule); }
static std::string gapPointer(std::size_t gap) { return "/coverage_gaps/" + std::to_string(gap); }

RulesEditor::RulesEditor(const PageContext& context, QObject* parent) : QObject(parent), m_context(context) {}

bool RulesEditor::canEdit() const { return m_context.document->canEditTable(); }

const table::RoutingTable& RulesEditor::table() const { return *m_context.document->workspace()->table.table; }

Findings RulesEditor::allFindings() const {
    const table::LoadedTable& loaded = m_context.document->workspace()->table;
    Findings all = loaded.findings;
    all.insert(all.end(), loaded.advisories.begin(), loaded.advisories.end());
    return all;
}

QWidget* RulesEditor::ruleForm(std::size_t rule, QString& why) {
    if (!canEdit()) return nullptr;
    const auto& document = m_context.document->workspace()->table.document;
    why = RuleForm::whyNot(table().rules[rule], document->root().at(OrderedJson::json_pointer(rulePointer(rule) + "/when")));
    if (!why.isEmpty()) return nullptr;
    m_ruleForm = new RuleForm(RuleForm::Purpose::change, namesOf(table()));
    m_index = rule;
    fillRule(rule);
    connect(m_ruleForm, &RuleForm::edited, this, [this](const QString& key, const QString& name) { changeRule(m_index, key, name); });
    return m_ruleForm;
}

QWidget* RulesEditor::gapForm(std::size_t gap, QString& why) {
    if (!canEdit()) return nullptr;
    why = GapForm::whyNot(table().gaps[gap]);
    if (!why.isEmpty()) return nullptr;
    m_gapForm = new GapForm(RuleForm::Purpose::change, namesOf(table()));
    m_index = gap;
    fillGap(gap);
    connect(m_gapForm, &GapForm::edited, this, [this](const QString& key, const QString& name) { changeGap(m_index, key, name); });
    return m_gapForm;
}

int RulesEditor::newlyPermittedBy(const table::RoutingRule& rule) const {
    const auto saved = m_context.document->savedTable();
    return saved && saved != m_context.document->table() ? newlyPermitted(*saved, rule) : 0;
}

void RulesEditor::fillRule(std::size_t rule) {
    m_ruleForm->display(table().rules[rule]);
    m_ruleForm->setNewlyPermitted(newlyPermittedBy(table().rules[rule]));
    m_ruleForm->showFindings(rulePointer(rule), allFindings());
}

void RulesEditor::fillGap(std::size_t gap) {
    m_gapForm->display(table().gaps[gap]);
    m_gapForm->showFindings(gapPointer(gap), allFindings());
}

void RulesEditor::refresh() {
    if (!canEdit()) return;
    const auto isChanging = [](const auto& form) { return form && form->template findChild<QWidget*>(QStringLiteral("add")) == nullptr; };
    if (isChanging(m_ruleForm) && m_index < table().rules.size()) fillRule(m_index);
    if (isChanging(m_gapForm) && m_index < table().gaps.size()) fillGap(m_index);
}

bool RulesEditor::apply(const QString& label, const TextEdit& edit) {
    const auto done = m_context.document->editTable(label, edit);
    if (!done) m_context.complain(done.error());
    return done.has_value();
}

void RulesEditor::changeRule(std::size_t rule, const QString& key, const QString& name) {
    if (!canEdit() || rule >= table().rules.size()) return;
    const table::RoutingRule wanted = m_ruleForm->rule();
    const auto done = m_context.document->editTable(tr("%1 of rule %2").arg(name).arg(rule + 1),
                                                    [rule, wanted](std::string_view text) { return table::changeRule(text, rule, wanted); });
    if (!m_ruleForm) return;
    if (!done) {
        Error error = done.error();
        // What was typed last is what is refused, wherever the reader saw it first.
        if (!error.where.starts_with(rulePointer(rule))) error.where = rulePointer(rule) + "/" + format::utf8(key);
        m_ruleForm->refuse(error);
        return;
    }
    m_ruleForm->accept();
}

void RulesEditor::changeGap(std::size_t gap, const QString& key, const QString& name) {
    if (!canEdit() || gap >= table().gaps.size()) return;
    const table::CoverageGap wanted = m_gapForm->gap();
    const auto done = m_context.document->editTable(tr("%1 of gap %2").arg(name).arg(gap + 1),
                                                    [gap, wanted](std::string_view text) { return table::changeGap(text, gap, wanted); });
    if (!m_gapForm) return;
    if (!done) {
        Error error = done.error();
        if (!error.where.starts_with(gapPointer(gap))) error.where = gapPointer(gap) + "/" + format::utf8(key);
        m_gapForm->refuse(error);
        return;
    }
    m_gapForm->accept();
}

/// A preset to begin with: the family's default, else its first.
static std::string firstPreset(const table::RoutingTable& table, const std::string& family) {
    std::string first;
    for (const table::Preset& preset : table.presets) {
        if (preset.modelFamily != family) continue;
        if (preset.defaultForFamily) return preset.presetKey;
        if (first.empty()) first = preset.presetKey;
    }
    return first;
}

void RulesEditor::startRule(const std::string& family, const std::optional<table::Cell>& cell) {
    if (!canEdit()) return;
    table::RoutingRule rule;
    rule.modelFamily = family;
    rule.presetKey = firstPreset(table(), family);
    rule.evidenceTag = "inferred";
    if (cell) {
        rule.when.workloadClass = {std::string(toString(cell->workload))};
        rule.when.expectedOutputLength = {std::string(toString(cell->length))};
        rule.when.concurrencyMode = {std::string(toString(cell->concurrency))};
    }
    auto* form = new RuleForm(RuleForm::Purpose::add, namesOf(table()));
    form->display(rule);
    m_ruleForm = form;
    connect(form, &RuleForm::added, this, [this, form] {
        const std::size_t index = table().rules.size();
        const table::RoutingRule wanted = form->rule();
        const auto done = m_context.document->editTable(tr("new rule for %1").arg(format::text(wanted.presetKey)),
                                                        [index, wanted](std::string_view text) { return table::addRule(text, index, wanted); });
        if (done) Q_EMIT wantsRule(index);
        else form->accept(), form->refuse(done.error());
    });
    m_context.inspect(form, tr("New rule"));
    form->field(QStringLiteral("evidence"))->control()->setFocus(Qt::OtherFocusReason);
}

void RulesEditor::startGap(const std::string& family, const std::optional<table::Cell>& cell) {
    if (!canEdit()) return;
    auto* form = new GapForm(RuleForm::Purpose::add, namesOf(table()));
    form->display({family, cell ? proseOf(*cell) : std::string(), firstPreset(table(), family), {}});
    m_gapForm = form;
    connect(form, &GapForm::added, this, [this, form] {
        const std::size_t index = table().gaps.size();
        const table::CoverageGap wanted = form->gap();
        const auto done = m_context.document->editTable(tr("new gap of %1").arg(format::text(wanted.modelFamily)),
                                                        [index, wanted](std::string_view text) { return table::addGap(text, index, wanted); });
        if (done) Q_EMIT wantsGap(index);
        else form->accept(), form->refuse(done.error());
    });
    m_context.inspect(form, tr("New gap"));
    form->field(QStringLiteral("missing_cell"))->control()->setFocus(Qt::OtherFocusReason);
}

void RulesEditor::duplicateRule(std::size_t rule) {
    if (apply(tr("copy of rule %1").arg(rule + 1), [rule](std::string_view text) { return table::duplicateRule(text, rule); })) Q_EMIT wantsRule(rule + 1);
}

void RulesEditor::removeRule(std::size_t rule) {
    if (!apply(tr("deletion of rule %1").arg(rule + 1), [rule](std::string_view text) { return table::removeRule(text, rule); })) return;
    m_context.say(tr("Rule %1 is deleted. Undo brings it back.").arg(rule + 1));
}

void RulesEditor::moveRule(std::size_t from, std::size_t to) {
    if (apply(tr("place of rule %1").arg(from + 1), [from, to](std::string_view text) { return table::moveRule(text, from, to); })) Q_EMIT wantsRule(to);
}

void RulesEditor::duplicateGap(std::size_t gap) {
    if (apply(tr("copy of gap %1").arg(gap + 1), [gap](std::string_view text) { return table::duplicateGap(text, gap); })) Q_EMIT wantsGap(gap + 1);
}

void RulesEditor::removeGap(std::size_t gap) {
    if (!apply(tr("deletion of gap %1").arg(gap + 1), [gap](std::string_view text) { return table::removeGap(text, gap); })) return;
    m_context.say(tr("Gap %1 is deleted. Undo brings it back.").arg(gap + 1));
}

void RulesEditor::moveGap(std::size_t from, std::size_t to) {
    if (apply(tr("place of gap %1").arg(from + 1), [from, to](std::string_view text) { return table::moveGap(text, from, to); })) Q_EMIT wantsGap(to);
}

}  // namespace signalbox::ui
