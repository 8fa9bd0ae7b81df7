// SPDX-License-Identifier: MIT
#pragma once

#include <QWidget>

class QLineEdit;
class QToolButton;

namespace signalbox::ui {

/// A read-only value with a copy button; a secret one is masked until revealed and is masked again when it leaves view.
class CopyField : public QWidget {
    Q_OBJECT
public:
    enum class Kind { open, secret };
    CopyField(const QString& name, Kind kind, QWidget* parent = nullptr);

    void setValue(const QString& value);
    [[nodiscard]] QString value() const { return m_value; }

Q_SIGNALS:
    void copied();

protected:
    void hideEvent(QHideEvent* event) override;

private:
    void setRevealed(bool revealed);
    void render();

    QString m_name;
    Kind m_kind;
    bool m_revealed = false;
    QString m_value;
    QLineEdit* m_line;
    QToolButton* m_reveal = nullptr;
};

}  // namespace signalbox::ui
