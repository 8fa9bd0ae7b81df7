// SPDX-License-Identifier: MIT
#include "ui/pages/groups/group_header.h"

#include "router/config/source.h"
#include "router/policy/smart/profile.h"
#include "ui/document/config_edits.h"
#include "ui/document/policy_document.h"
#include "ui/pages/groups/alias_chips.h"
#include "ui/theme/plain_tip.h"
#include "ui/widgets/forms/field_message.h"
#include "ui/widgets/forms/wheel_guard.h"
#include "ui/theme/format.h"
#include "ui/widgets/basics.h"

#include <QComboBox>
#include <QGridLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QSignalBlocker>

namespace signalbox::ui {

GroupHeader::GroupHeader(PolicyDocument* document, QWidget* parent)
    : QWidget(parent), m_document(document), m_name(new QLineEdit), m_nameMessage(new FieldMessage(m_name)),
      m_aliases(new AliasChips([this](const auto& aliases) { return edits::judge(*m_document, edits::withAliases(m_group, aliases)); },
                               [this](const auto& aliases) { return edits::setAliases(*m_document, m_group, aliases); })),
      m_profile(new QComboBox), m_profileMessage(new FieldMessage(m_profile)) {
    makeLayout();
    connect(m_name, &QLineEdit::editingFinished, this, &GroupHeader::rename);
    connect(m_name, &QLineEdit::textEdited, this, [this](const QString& text) {
        const auto verdict = format::utf8(text) == m_group ? Result<void>() : edits::judge(*m_document, edits::renamedGroup(m_group, format::utf8(text)));
        if (verdict) m_nameMessage->clear();
        else m_nameMessage->show(verdict.error());
    });
    connect(m_profile, &QComboBox::activated, this, [this](int index) {
        const auto wanted = index == 0 ? std::nullopt : std::optional(std::string(toString(policy::smart::kProfiles[static_cast<std::size_t>(index - 1)])));
        if (const auto done = edits::setGroupProfile(*m_document, m_group, wanted); !done) m_profileMessage->show(done.error());
        else m_profileMessage->clear();
    });
}

void GroupHeader::makeLayout() {
    m_name->setObjectName(QStringLiteral("groupName"));
    m_name->setAccessibleName(tr("Name of the group"));
    m_name->setFixedWidth(220);
    m_profile->setAccessibleName(tr("Default profile of the group"));
    m_profile->setMinimumWidth(150);
    guardFromWheel({m_profile});
    const auto label = [](const QString& text) {
        auto* made = makeMuted(text);
        made->setWordWrap(false);
        return made;
    };
    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(Theme::kGapWide);
    grid->setVerticalSpacing(4);
    grid->addWidget(label(tr("Group")), 0, 0);
    grid->addWidget(m_name, 0, 1);
    grid->addWidget(label(tr("Profile")), 0, 2);
    grid->addWidget(m_profile, 0, 3);
    grid->addWidget(m_nameMessage, 1, 1, 1, 4);
    grid->addWidget(m_profileMessage, 2, 1, 1, 4);
    auto* aliases = label(tr("Aliases"));
    m_name->ensurePolished();
    aliases->setMinimumHeight(m_name->sizeHint().height());  // beside the first line of chips
    grid->addWidget(aliases, 3, 0, Qt::AlignTop);
    grid->addWidget(m_aliases, 3, 1, 1, 4);
    grid->setColumnStretch(4, 1);
}

// What the cross check warns of, e.g. that an alias hides a model of the table.
static QStringList remarksOf(const policy::LoadedWorkspace& workspace, const config::SmartGroup& group) {
    QStringList remarks;
    for (std::size_t i = 0; i < group.aliases.size(); ++i) {
        config::Path path = edits::groupPath(group.id, "aliases");
        path.emplace_back(i);
        const std::string dotted = config::dottedPath(path);
        QString remark;
        for (const Findings* findings : {&workspace.crossFindings, &workspace.config.findings})
            for (const Finding& finding : *findings)
                if (finding.pointer == dotted) remark = format::sentence(finding.message) + QStringLiteral(". ") + format::text(finding.hint);
        remarks << remark;
    }
    return remarks;
}

void GroupHeader::set(const config::SmartGroup& group) {
    const auto workspace = m_document->workspace();
    if (!workspace) return;
    const bool canEdit = m_document->canEditConfig();
    if (m_group != group.id) m_aliases->endEdit();
    if (m_group != group.id || m_name->text().isEmpty()) {
        m_group = group.id;
        m_name->setText(format::text(group.id));
        m_nameMessage->clear();
        m_profileMessage->clear();
    }
    m_name->setReadOnly(!canEdit);
    m_name->setToolTip(plainTip(tr("From: %1").arg(edits::sourceOf(*workspace, edits::groupPath(group.id)))));
    m_aliases->set(group.aliases, remarksOf(*workspace, group), edits::sourceOf(*workspace, edits::groupPath(group.id, "aliases")), canEdit);

    const QSignalBlocker quiet(m_profile);
    m_profile->clear();
    m_profile->addItem(tr("default: %1").arg(format::text(workspace->config.config->routing.defaultProfile)));
    for (const policy::smart::Profile profile : policy::smart::kProfiles) m_profile->addItem(format::text(toString(profile)));
    const auto own = group.defaultProfile ? policy::smart::parseProfile(*group.defaultProfile) : std::nullopt;
    m_profile->setCurrentIndex(own ? static_cast<int>(*own) + 1 : 0);
    m_profile->setEnabled(canEdit);
    m_profile->setToolTip(plainTip(tr("From: %1").arg(own ? edits::sourceOf(*workspace, edits::groupPath(group.id, "default_profile"))
                                                 : edits::sourceOf(*workspace, edits::routingPath("default_profile")))));
}

void GroupHeader::focusName() {
    m_name->setFocus(Qt::OtherFocusReason);
    m_name->selectAll();
}

void GroupHeader::keyPressEvent(QKeyEvent* event) {
    if (event->key() != Qt::Key_Escape || !m_name->hasFocus()) return QWidget::keyPressEvent(event);
    m_name->setText(format::text(m_group));
    m_nameMessage->clear();
}

void GroupHeader::rename() {
    const QString wanted = m_name->text();
    const std::string id = format::utf8(wanted);
    if (id == m_group || m_name->isReadOnly()) return;
    const std::string before = m_group;
    m_group = id;  // the document tells of the change before `renameGroup` returns
    Q_EMIT renamed(wanted);
    if (const auto done = edits::renameGroup(*m_document, before, id); !done) {
        m_group = before;
        Q_EMIT renamed(format::text(before));
        m_nameMessage->show(done.error());
    } else {
        m_nameMessage->clear();
    }
}

}  // namespace signalbox::ui
