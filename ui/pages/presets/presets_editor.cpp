// SPDX-License-Identifier: MIT
#include "ui/pages/presets/presets_editor.h"

#include "router/config/edit.h"
#include "router/table/edit.h"
#include "ui/document/policy_document.h"
#include "ui/pages/presets/preset_form.h"
#include "ui/theme/format.h"

#include <algorithm>

namespace signalbox::ui {

static std::string pointerTo(std::size_t preset) { return "/presets/" + std::to_string(preset); }

PresetsEditor::PresetsEditor(const PageContext& context, QObject* parent) : QObject(parent), m_context(context) {}

bool PresetsEditor::canEdit() const { return m_context.document->canEditTable(); }

const table::RoutingTable& PresetsEditor::table() const { return *m_context.document->workspace()->table.table; }

static QStringList familiesOf(const table::RoutingTable& table) {
    QStringList families;
    for (const std::string& family : table.families()) families << format::text(family);
    return families;
}

QWidget* PresetsEditor::form(std::size_t preset, QString& why) {
    if (!canEdit()) return nullptr;
    why = PresetForm::whyNot(table().presets[preset]);
    if (!why.isEmpty()) return nullptr;
    m_form = new PresetForm(PresetForm::Purpose::change, familiesOf(table()));
    m_isNew = false;
    m_index = preset;
    fill();
    connect(m_form, &PresetForm::edited, this, &PresetsEditor::change);
    return m_form;
}

void PresetsEditor::fill() {
    const table::LoadedTable& loaded = m_context.document->workspace()->table;
    Findings all = loaded.findings;
    all.insert(all.end(), loaded.advisories.begin(), loaded.advisories.end());
    m_form->display(table().presets[m_index]);
    m_form->showFindings(pointerTo(m_index), all);
}

void PresetsEditor::refresh() {
    if (m_form && !m_isNew && canEdit() && m_index < table().presets.size()) fill();
}

bool PresetsEditor::isBound(const std::string& presetKey) const {
    const auto& config = m_context.document->workspace()->config.config;
    return m_context.document->canEditConfig() && config && config->findBinding(presetKey) != nullptr;
}

/// The preset as it is to be; a new default takes the place of the one that its family had.
static Result<std::string> withPreset(std::string_view text, std::size_t index, const table::Preset& wanted, const std::vector<table::Preset>& presets) {
    Result<std::string> now = std::string(text);
    for (std::size_t i = 0; wanted.defaultForFamily && now && i < presets.size(); ++i) {
        if (i == index || !presets[i].defaultForFamily || presets[i].modelFamily != wanted.modelFamily) continue;
        table::Preset other = presets[i];
        other.defaultForFamily = false;
        now = table::changePreset(*now, i, other);
    }
    return now ? table::changePreset(*now, index, wanted) : now;
}

void PresetsEditor::change(const QString& key, const QString& name) {
    if (!canEdit() || m_index >= table().presets.size()) return;
    const table::Preset wanted = m_form->preset();
    const table::Preset& before = table().presets[m_index];
    const QString label = tr("%1 of %2").arg(name, format::text(before.presetKey));
    Result<void> done;
    if (wanted.presetKey != before.presetKey) {
        const auto renamed = [from = before.presetKey, to = wanted.presetKey](std::string_view text) { return table::renamePreset(text, from, to); };
        const auto rebound = [from = before.presetKey, to = wanted.presetKey](std::string_view text) { return config::renameTable(text, {"presets", from}, to); };
        done = isBound(before.presetKey) ? m_context.document->editBoth(label, renamed, rebound) : m_context.document->editTable(label, renamed);
    } else {
        // Arrow after arrow on a number is one step.
        const QString merge = key == QLatin1String("spec_decode_K") || key == QLatin1String("max_num_seqs") ? QStringLiteral("preset/%1/%2").arg(m_index).arg(key) : QString();
        done = m_context.document->editTable(
            label, [index = m_index, wanted, presets = table().presets](std::string_view text) { return withPreset(text, index, wanted, presets); }, merge);
    }
    if (!m_form) return;
    if (done) return m_form->accept();
    Error error = done.error();
    // What was typed last is what is refused, wherever the reader saw it first.
    if (!error.where.starts_with(pointerTo(m_index) + "/")) error.where = pointerTo(m_index) + "/" + format::utf8(key);
    m_form->refuse(error);
}

void PresetsEditor::start(const std::string& family) {
    if (!canEdit()) return;
    auto* form = new PresetForm(PresetForm::Purpose::add, familiesOf(table()));
    table::Preset preset;
    preset.modelFamily = family;
    form->display(preset);
    m_form = form;
    m_isNew = true;
    connect(form, &PresetForm::added, this, [this, form] {
        const std::size_t index = table().presets.size();
        const table::Preset wanted = form->preset();
        const auto done = m_context.document->editTable(tr("new preset %1").arg(format::text(wanted.presetKey)), [index, wanted, presets = table().presets](std::string_view text) {
            auto added = table::addPreset(text, index, wanted);
            return added ? withPreset(*added, index, wanted, presets) : added;
        });
        form->accept();
        if (done) return Q_EMIT wantsPreset(index);
        Error error = done.error();
        if (error.kind == ErrorKind::conflict) error.where = pointerTo(index) + "/preset_key";
        form->refuse(error);
    });
    m_context.inspect(form, tr("New preset"));
    form->field(QStringLiteral("preset_key"))->control()->setFocus(Qt::OtherFocusReason);
}

/// `key-copy`, `key-copy-2`, … as far as they are taken.
static std::string freeKey(const table::RoutingTable& table, const std::string& key) {
    std::string free = key + "-copy";
    for (int i = 2; table.findPreset(free) != nullptr; ++i) free = key + "-copy-" + std::to_string(i);
    return free;
}

void PresetsEditor::duplicate(std::size_t preset) {
    const std::string& key = table().presets[preset].presetKey;
    const auto done = m_context.document->editTable(tr("copy of %1").arg(format::text(key)), [preset, copy = freeKey(table(), key)](std::string_view text) {
        return table::duplicatePreset(text, preset, copy);
    });
    if (done) Q_EMIT wantsPreset(preset + 1);
    else m_context.complain(done.error());
}

void PresetsEditor::remove(std::size_t preset) {
    const std::string key = table().presets[preset].presetKey;
    const auto leads = std::count_if(table().rules.begin(), table().rules.end(), [&](const auto& rule) { return rule.presetKey == key; });
    if (leads > 0)
        return m_context.complain({ErrorKind::conflict, format::utf8(tr("%n rule(s) lead to this preset", nullptr, static_cast<int>(leads))), key,
                                   format::utf8(tr("Point them to another preset or delete them first."))});
    const QString label = tr("deletion of %1").arg(format::text(key));
    const auto removed = [preset](std::string_view text) { return table::removePreset(text, preset); };
    const auto unbound = [key](std::string_view text) { return config::removeTable(text, {"presets", key}); };
    const bool bound = isBound(key);
    const auto done = bound ? m_context.document->editBoth(label, removed, unbound) : m_context.document->editTable(label, removed);
    if (!done) return m_context.complain(done.error());
    m_context.say(bound ? tr("%1 and its binding in gateway.toml are deleted. Undo brings them back.").arg(format::text(key))
                        : tr("%1 is deleted. Undo brings it back.").arg(format::text(key)));
}

void PresetsEditor::move(std::size_t from, std::size_t to) {
    const auto done = m_context.document->editTable(tr("place of %1").arg(format::text(table().presets[from].presetKey)),
                                                    [from, to](std::string_view text) { return table::movePreset(text, from, to); });
    if (done) Q_EMIT wantsPreset(to);
    else m_context.complain(done.error());
}

}  // namespace signalbox::ui
