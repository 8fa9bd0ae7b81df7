// SPDX-License-Identifier: MIT
#include "ui/pages/page_sheet.h"

#include "ui/widgets/fact_list.h"
#include "ui/widgets/forms/record_form.h"

#include <utility>

namespace signalbox::ui {

static void letGo(QWidget* content) {
    if (content == nullptr) return;
    if (auto* form = qobject_cast<RecordForm*>(content)) form->blockSignals(true);
    for (RecordForm* form : content->findChildren<RecordForm*>()) form->blockSignals(true);
}

PageSheet::PageSheet(PageContext& context)
    : m_inspect(std::exchange(context.inspect, [this](QWidget* content, const QString& title) { put(content, title); })) {}

void PageSheet::put(QWidget* content, const QString& title) {
    letGo(m_content);
    m_content = content;
    m_sheet.clear();
    m_facts.clear();  // alive for a moment yet, of what may be gone
    m_inspect(content, title);
}

void PageSheet::show(QWidget* sheet, const QString& title, FactList* facts) {
    put(sheet, title);
    m_sheet = sheet;
    m_facts = facts;
}

void PageSheet::drop() {
    if (isShown()) put(nullptr, {});
}

FactList* PageSheet::facts() const { return m_facts; }

}  // namespace signalbox::ui
