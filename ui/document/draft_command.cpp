// SPDX-License-Identifier: MIT
#include "ui/document/draft_command.h"

#include <algorithm>

namespace signalbox::ui {

static constexpr int kMergingId = 1;
static constexpr std::chrono::seconds kMergeWithin{1};

Splice spliceBetween(std::string_view before, std::string_view after) {
    const std::size_t shorter = std::min(before.size(), after.size());
    const auto front = static_cast<std::size_t>(std::mismatch(before.begin(), before.begin() + static_cast<std::ptrdiff_t>(shorter), after.begin()).first - before.begin());
    std::size_t back = 0;
    while (back < shorter - front && before[before.size() - 1 - back] == after[after.size() - 1 - back]) ++back;
    return {front, std::string(before.substr(front, before.size() - front - back)), std::string(after.substr(front, after.size() - front - back))};
}

void applySplice(std::string& text, const Splice& splice) { text.replace(splice.at, splice.removed.size(), splice.inserted); }
void revertSplice(std::string& text, const Splice& splice) { text.replace(splice.at, splice.inserted.size(), splice.removed); }

DraftCommand::DraftCommand(DraftTexts* texts, const DraftTexts& after, Step step, std::function<void()> moved)
    : QUndoCommand(step.label), m_texts(texts), m_table(spliceBetween(texts->table, after.table)),
      m_config(spliceBetween(texts->config, after.config)), m_step(std::move(step)), m_moved(std::move(moved)) {}

void DraftCommand::undo() {
    revertSplice(m_texts->table, m_table);
    revertSplice(m_texts->config, m_config);
    m_moved();
}

void DraftCommand::redo() {
    applySplice(m_texts->table, m_table);
    applySplice(m_texts->config, m_config);
    m_moved();
}

int DraftCommand::id() const { return m_step.mergeKey.isEmpty() ? -1 : kMergingId; }

/// Both splices as one; `after` is the text behind both of them.
static Splice joined(const Splice& first, const Splice& second, const std::string& after) {
    std::string before = after;
    revertSplice(before, second);
    revertSplice(before, first);
    return spliceBetween(before, after);
}

bool DraftCommand::mergeWith(const QUndoCommand* next) {
    const auto* step = dynamic_cast<const DraftCommand*>(next);
    if (step == nullptr || step->m_step.mergeKey != m_step.mergeKey || step->m_step.at - m_step.at > kMergeWithin) return false;
    m_table = joined(m_table, step->m_table, m_texts->table);
    m_config = joined(m_config, step->m_config, m_texts->config);
    m_step.at = step->m_step.at;
    setText(step->text());
    setObsolete(m_table.isEmpty() && m_config.isEmpty());
    return true;
}

}  // namespace signalbox::ui
