// SPDX-License-Identifier: MIT
#pragma once

#include "router/config/types.h"

#include <QWidget>

class QComboBox;
class QLineEdit;

namespace signalbox::ui {

class AliasChips;
class FieldMessage;
class PolicyDocument;

/// Name, aliases and default profile of the chosen group.
class GroupHeader : public QWidget {
    Q_OBJECT
public:
    explicit GroupHeader(PolicyDocument* document, QWidget* parent = nullptr);
    void set(const config::SmartGroup& group);
    void focusName();
    [[nodiscard]] AliasChips* aliases() const { return m_aliases; }

Q_SIGNALS:
    void renamed(const QString& id);

protected:
    /// Escape takes back what was typed.
    void keyPressEvent(QKeyEvent* event) override;

private:
    void makeLayout();
    void rename();

    PolicyDocument* m_document;
    std::string m_group;
    QLineEdit* m_name;
    FieldMessage* m_nameMessage;
    AliasChips* m_aliases;
    QComboBox* m_profile;
    FieldMessage* m_profileMessage;
};

}  // namespace signalbox::ui
