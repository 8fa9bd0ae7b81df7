// SPDX-License-Identifier: MIT
#include "ui/widgets/live_facts.h"

#include "ui/theme/format.h"
#include "ui/theme/plain_tip.h"
#include "ui/widgets/basics.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/fact_list.h"
#include "ui/widgets/tone_text.h"

#include <QLabel>
#include <QVBoxLayout>

#include <algorithm>

namespace signalbox::ui {

LiveFacts::LiveFacts(QWidget* parent) : QWidget(parent), m_list(new FactList) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_list);
}

bool LiveFacts::isLike(const std::vector<LiveFact>& facts) const {
    return std::equal(facts.begin(), facts.end(), m_facts.begin(), m_facts.end(), [](const LiveFact& a, const LiveFact& b) {
        return a.name == b.name && a.isId == b.isId && a.tone.has_value() == b.tone.has_value();
    });
}

void LiveFacts::build(const std::vector<LiveFact>& facts) {
    m_list->clear();
    m_values.clear();
    for (const LiveFact& fact : facts) {
        QWidget* value = nullptr;
        if (fact.tone) value = new ToneText;
        else if (fact.isId) value = ElidedLabel::forId({});
        else {
            value = makeLabel({});
            value->setProperty("data", true);
        }
        m_list->addWidget(fact.name, value);
        m_values.push_back(value);
    }
}

void LiveFacts::set(const std::vector<LiveFact>& facts) {
    if (!isLike(facts)) build(facts);
    m_facts = facts;
    for (std::size_t i = 0; i < facts.size(); ++i) {
        const LiveFact& fact = facts[i];
        const QString shown = fact.value.isEmpty() ? format::none() : fact.value;
        if (fact.tone) static_cast<ToneText*>(m_values[i])->set(*fact.tone, shown);
        else if (fact.isId) static_cast<ElidedLabel*>(m_values[i])->setText(shown);
        else if (auto* label = static_cast<QLabel*>(m_values[i]); label->text() != shown) label->setText(shown);
        if (!fact.isId) m_values[i]->setToolTip(plainTip(fact.help));
    }
}

}  // namespace signalbox::ui
