// SPDX-License-Identifier: MIT
#pragma once

#include "router/policy/workspace.h"
#include "ui/pages/page.h"

#include <QList>
#include <QWidget>

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
/// Whatever came or went as a whole is one difference. Values that may hold a secret are compared by their digests.
[[nodiscard]] QList<PolicyDifference> policyDifferences(const policy::PolicySnapshot& running, const policy::PolicySnapshot& draft);

/// What an apply of the draft would change of what runs, with the button that does it.
class DifferenceView : public QWidget {
    Q_OBJECT
public:
    explicit DifferenceView(const PageContext& context, QWidget* parent = nullptr);

private:
    void refresh();

    PageContext m_context;
    QString m_shown;  ///< the hashes that the rows are of, so that they are made anew only for others
    std::shared_ptr<const policy::LoadedWorkspace> m_of;
    QLabel* m_summary;
    QVBoxLayout* m_rows;
};

}  // namespace signalbox::ui
