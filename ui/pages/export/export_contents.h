// SPDX-License-Identifier: MIT
#pragma once

#include "router/policy/workspace.h"

#include <QWidget>

#include <memory>

namespace signalbox::ui {

class FactList;

/// What leaves this machine, and what stays.
class ExportContents : public QWidget {
    Q_OBJECT
public:
    explicit ExportContents(QWidget* parent = nullptr);
    void show(const policy::LoadedWorkspace& workspace);

private:
    FactList* m_leaves;
    FactList* m_stays;
};

/// The bytes of the table file as read, or nullopt when it cannot be looked at any more.
[[nodiscard]] std::optional<std::uintmax_t> tableBytes(const policy::LoadedWorkspace& workspace);
/// Empty without a configuration.
[[nodiscard]] std::string policyVersionOf(const policy::LoadedWorkspace& workspace);

}  // namespace signalbox::ui
