// SPDX-License-Identifier: MIT
#pragma once

#include "router/base/error.h"

#include <QTimer>
#include <QWidget>

#include <functional>
#include <string>
#include <vector>

class QLabel;
class QLineEdit;

namespace signalbox::ui {

class FieldMessage;
class WrapLayout;

/// The names by which clients call a group: a chip each, and a field for another. What is typed is judged while it is
/// typed, by the validators of the file; what they refuse stays in the field with their message under it. A chip is
/// changed with F2 or Enter and goes with Delete.
class AliasChips : public QWidget {
    Q_OBJECT
public:
    using Aliases = std::vector<std::string>;
    /// What the validators would say to these aliases.
    using Judge = std::function<Result<void>(const Aliases&)>;
    /// Writes them; an error leaves the field as it is.
    using Apply = std::function<Result<void>(const Aliases&)>;

    AliasChips(Judge judge, Apply apply, QWidget* parent = nullptr);
    /// `remarks`: a warning for some aliases, same order, empty for most.
    void set(const Aliases& aliases, const QStringList& remarks, const QString& source, bool canEdit);
    /// Forgets what is typed, as for the aliases of another group.
    void endEdit();
    [[nodiscard]] QLineEdit* field() const { return m_field; }
    [[nodiscard]] FieldMessage* message() const { return m_message; }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void rebuild();
    void beginEdit(int index);
    void followEdited();
    void remove(int index);
    void accept();
    void judgeField();
    void count();
    [[nodiscard]] Aliases withField() const;

    static constexpr std::size_t kMostAliases = 64, kMostBytes = 160;

    Judge m_judge;
    Apply m_apply;
    Aliases m_aliases;
    QStringList m_remarks;
    QString m_source;
    bool m_canEdit = false;
    int m_edited = -1;  ///< chip that the field replaces; -1 adds
    std::string m_begun;  ///< what that chip said
    WrapLayout* m_flow;
    QList<QWidget*> m_chips;
    QLineEdit* m_field;
    QLabel* m_counter;
    FieldMessage* m_message;
    QTimer m_settle;
};

}  // namespace signalbox::ui
