// SPDX-License-Identifier: MIT
#pragma once

#include "router/evidence/record.h"
#include "router/policy/workspace.h"
#include "ui/theme/theme.h"

#include <QString>

#include <optional>
#include <vector>

namespace signalbox::ui {

/// One line of a receipt. A tone marks a verdict; an id is shown in the fixed font and can be copied.
struct ReceiptLine {
    QString name;
    QString value;
    std::optional<Tone> tone = std::nullopt;
    bool isId = false;
    bool isDrawn = false;  ///< the part's picture says it too, so only text needs it
};

struct ReceiptPart {
    /// What is drawn above the lines.
    enum class Picture { none, attempts, terms };
    QString title;
    std::vector<ReceiptLine> lines;
    Picture picture = Picture::none;
};

/// A decision written out in the order in which it was taken: what came in, how the name resolved, what the group and
/// the table said, what was sent where, what it cost, who decided. `workspace` may be null; its table explains rules and gaps
/// only where it is the table that decided.
[[nodiscard]] std::vector<ReceiptPart> receiptParts(const evidence::DecisionRecord& record,
                                                    const policy::LoadedWorkspace* workspace);
/// One sentence that sums it up, for titles and screen readers.
[[nodiscard]] QString receiptSentence(const evidence::DecisionRecord& record);
/// The whole receipt as text that can be read aloud.
[[nodiscard]] QString receiptText(const evidence::DecisionRecord& record, const policy::LoadedWorkspace* workspace);

[[nodiscard]] Tone toneOf(evidence::AttemptOutcome outcome);

}  // namespace signalbox::ui
