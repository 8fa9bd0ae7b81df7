// SPDX-License-Identifier: MIT
#pragma once

#include "ui/pages/page.h"
#include "ui/shell/policy_differences.h"

#include <QWidget>

#include <memory>

class QLabel;
class QVBoxLayout;

namespace signalbox::ui {

/// What an apply of the draft would change of what runs, with the button that does it. Compares nothing while it is hidden, and
/// large policies on a worker.
class DifferenceView : public QWidget {
    Q_OBJECT
public:
    explicit DifferenceView(const PageContext& context, QWidget* parent = nullptr);

protected:
    void showEvent(QShowEvent* event) override;

private:
    using Snapshot = std::shared_ptr<const policy::PolicySnapshot>;

    void refresh();
    void compare(const Snapshot& running, const Snapshot& draft, const QString& name);
    void showDifferences(const QList<PolicyDifference>& all, const QString& name, const QString& hashes);

    PageContext m_context;
    QString m_shown;  ///< what the rows are of, so that they are made anew only for something else
    quint64 m_look = 0;  ///< of the last comparison: the answer of an earlier one is dropped
    QLabel* m_summary;
    QVBoxLayout* m_rows;
};

}  // namespace signalbox::ui
