// SPDX-License-Identifier: MIT
#pragma once

#include "router/base/clock.h"

#include <QUndoCommand>

#include <functional>
#include <string>
#include <string_view>

namespace signalbox::ui {

/// One change of a text: `removed`, which stood at byte `at`, became `inserted`.
struct Splice {
    std::size_t at = 0;
    std::string removed, inserted;
    [[nodiscard]] bool isEmpty() const { return removed.empty() && inserted.empty(); }
};
/// The smallest single splice that makes `after` of `before`; empty when they are the same.
[[nodiscard]] Splice spliceBetween(std::string_view before, std::string_view after);
void applySplice(std::string& text, const Splice& splice);
void revertSplice(std::string& text, const Splice& splice);

/// The two texts that make a policy.
struct DraftTexts {
    std::string table, config;
    bool operator==(const DraftTexts&) const = default;
};

/// One undoable step of both texts. Holds what changed, never a whole text.
class DraftCommand final : public QUndoCommand {
public:
    struct Step {
        QString label;     ///< completes "Undo …"
        QString mergeKey;  ///< empty: merges with nothing
        Steady at;         ///< when it was made
    };
    /// `texts` outlives the command and is what it changes; `moved` is called after each change, either way.
    DraftCommand(DraftTexts* texts, const DraftTexts& after, Step step, std::function<void()> moved);

    void undo() override;
    void redo() override;
    [[nodiscard]] int id() const override;
    /// Takes the step that follows into itself when both have one key and lie at most a second apart. Becomes obsolete
    /// when both together change nothing.
    bool mergeWith(const QUndoCommand* next) override;

private:
    DraftTexts* m_texts;
    Splice m_table, m_config;
    Step m_step;
    std::function<void()> m_moved;
};

}  // namespace signalbox::ui
