// SPDX-License-Identifier: MIT
#include "ui/widgets/forms/word_boxes.h"

#include "ui/theme/format.h"

#include <QCheckBox>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include <algorithm>

namespace signalbox::ui {

WordBoxes::WordBoxes(std::vector<std::pair<std::string, QString>> known, const QString& any, QWidget* parent)
    : QWidget(parent), m_known(known.size()), m_layout(new QVBoxLayout(this)) {
    m_layout->setContentsMargins(0, 0, 0, 0);
    m_layout->setSpacing(0);
    if (!any.isEmpty()) {
        m_any = new QCheckBox(any);
        m_any->setObjectName(QStringLiteral("any"));
        m_layout->addWidget(m_any);
        setFocusProxy(m_any);
        connect(m_any, &QCheckBox::toggled, this, [this](bool on) {
            takeAny(on);
            Q_EMIT edited();
        });
    }
    for (const auto& [word, name] : known) addBox(word, name);
    if (m_any == nullptr && !m_boxes.empty()) setFocusProxy(m_boxes.front().box);
}

QCheckBox* WordBoxes::addBox(const std::string& word, const QString& name) {
    auto* box = new QCheckBox(name);
    box->setObjectName(format::text(word));
    m_layout->addWidget(box);
    m_boxes.push_back({word, box});
    connect(box, &QCheckBox::toggled, this, &WordBoxes::edited);
    return box;
}

/// Leaving "any" changes nothing yet: every word is permitted, now one by one.
void WordBoxes::takeAny(bool any) {
    for (const Box& each : m_boxes) {
        const QSignalBlocker quiet(each.box);
        each.box->setEnabled(!any);
        each.box->setChecked(!any);
    }
}

void WordBoxes::set(const std::optional<Words>& words) {
    while (m_boxes.size() > m_known) {
        delete m_boxes.back().box;
        m_boxes.pop_back();
    }
    m_order = words.value_or(Words());
    for (const std::string& word : m_order)
        if (box(word) == nullptr) addBox(word, format::text(word));
    if (m_any != nullptr) {
        const QSignalBlocker quiet(m_any);
        m_any->setChecked(!words);
    }
    for (const Box& each : m_boxes) {
        const QSignalBlocker quiet(each.box);
        each.box->setEnabled(m_any == nullptr || words.has_value());
        each.box->setChecked(std::find(m_order.begin(), m_order.end(), each.word) != m_order.end());
    }
}

std::optional<WordBoxes::Words> WordBoxes::words() const {
    if (m_any != nullptr && m_any->isChecked()) return std::nullopt;
    Words out;
    for (const std::string& word : m_order)
        if (const QCheckBox* found = box(word); found != nullptr && found->isChecked()) out.push_back(word);
    for (const Box& each : m_boxes)
        if (each.box->isChecked() && std::find(out.begin(), out.end(), each.word) == out.end()) out.push_back(each.word);
    return out;
}

QCheckBox* WordBoxes::box(const std::string& word) const {
    const auto it = std::find_if(m_boxes.begin(), m_boxes.end(), [&](const Box& each) { return each.word == word; });
    return it == m_boxes.end() ? nullptr : it->box;
}

}  // namespace signalbox::ui
