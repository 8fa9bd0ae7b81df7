// SPDX-License-Identifier: MIT
#pragma once

#include "ui/theme/theme.h"

#include <QWidget>

#include <optional>
#include <vector>

namespace signalbox::ui {

class FactList;

struct LiveFact {
    QString name, value;
    std::optional<Tone> tone = std::nullopt;  ///< a verdict: shape and colour before the words
    bool isId = false;
    QString help = {};                        ///< on hover
};

/// Facts that follow what runs: as long as their names stay, values change in place, so that neither selection nor focus
/// is lost once a second.
class LiveFacts : public QWidget {
    Q_OBJECT
public:
    explicit LiveFacts(QWidget* parent = nullptr);
    void set(const std::vector<LiveFact>& facts);

private:
    void build(const std::vector<LiveFact>& facts);
    [[nodiscard]] bool isLike(const std::vector<LiveFact>& facts) const;

    FactList* m_list;
    std::vector<LiveFact> m_facts;
    std::vector<QWidget*> m_values;
};

}  // namespace signalbox::ui
