// SPDX-License-Identifier: MIT
#pragma once

#include "router/evidence/record.h"
#include "router/policy/workspace.h"

#include <QWidget>

#include <memory>

class QVBoxLayout;

namespace signalbox::ui {

/// One decision, readable aloud: what came in, how the name resolved, what the group and the table said, what was sent where,
/// what it cost, who decided. Can be copied as text and as JSON.
class ReceiptView : public QWidget {
    Q_OBJECT
public:
    /// One below the other as in the inspector, or in two columns where there is room.
    enum class Columns { one, two };
    explicit ReceiptView(Columns columns = Columns::one, QWidget* parent = nullptr);

    void setRecord(std::shared_ptr<const evidence::DecisionRecord> record,
                   std::shared_ptr<const policy::LoadedWorkspace> workspace);
    [[nodiscard]] const std::shared_ptr<const evidence::DecisionRecord>& record() const { return m_record; }

public Q_SLOTS:
    void copyAsText() const;
    void copyAsJson() const;

private:
    void build();
    [[nodiscard]] QWidget* partView(const struct ReceiptPart& part, int nameWidth) const;

    Columns m_columns;
    std::shared_ptr<const evidence::DecisionRecord> m_record;
    std::shared_ptr<const policy::LoadedWorkspace> m_workspace;
    QVBoxLayout* m_head;
    QVBoxLayout* m_content;
};

}  // namespace signalbox::ui
