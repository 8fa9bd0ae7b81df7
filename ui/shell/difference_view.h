// SPDX-License-Identifier: MIT
#pragma once

#include "router/policy/workspace.h"
#include "ui/pages/page.h"

#include <QList>
#include <QWidget>

#include <memory>

class QLabel;
class QVBoxLayout;

namespace signalbox::ui {

/// One thing that an apply changes. A null text: it is not there.
struct PolicyDifference {
    QString where;  ///< "routing.groups.auto.default_profile", "routing-table.json: preset fast"
    QString before, after;
    bool operator==(const PolicyDifference&) const = default;
};
/// What lies between two policies, and what an apply changes beside them: where the gateway listens and what its records say.
/// Whatever came or went as a whole is one difference. Values that may hold a secret are compared by their digests, and of a URL
/// only scheme and host are told, since a key may stand in its path. Callable on any thread.
[[nodiscard]] QList<PolicyDifference> policyDifferences(const policy::PolicySnapshot& running, const policy::PolicySnapshot& draft);

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
