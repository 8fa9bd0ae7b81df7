// SPDX-License-Identifier: MIT
#pragma once

#include "ui/pages/page.h"

#include <QPointer>

namespace signalbox::ui {

class FactList;

/// The sheet of one thing of a page, as of a rule or a preset, as long as the inspector shows it. The inspector is
/// everybody's: whatever else the page or the window puts there takes its place, and then there is no sheet to follow.
class PageSheet {
public:
    /// From here on all that `context`, or a copy made of it from now on, puts into the inspector goes through here.
    /// Whatever takes a form out lets go of it first: hiding a field makes it tell of its text once more, when the thing
    /// that it was typed for may be gone or another stands at its place.
    explicit PageSheet(PageContext& context);
    PageSheet(const PageSheet&) = delete;
    PageSheet& operator=(const PageSheet&) = delete;

    /// `facts` stand under its form; null where the sheet has none and is only to be read.
    void show(QWidget* sheet, const QString& title, FactList* facts = nullptr);
    /// Empties the inspector of it; of nothing else.
    void drop();
    [[nodiscard]] bool isShown() const { return !m_sheet.isNull(); }
    [[nodiscard]] FactList* facts() const;

private:
    void put(QWidget* content, const QString& title);

    std::function<void(QWidget* content, const QString& title)> m_inspect;
    QPointer<QWidget> m_content;  ///< what the page put there last, a sheet or not
    QPointer<QWidget> m_sheet;
    QPointer<FactList> m_facts;
};

}  // namespace signalbox::ui
