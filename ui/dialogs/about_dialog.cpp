// SPDX-License-Identifier: MIT
#include "ui/dialogs/about_dialog.h"

#include "ui/widgets/basics.h"
#include "ui/widgets/fact_list.h"

#include <nlohmann/json.hpp>
#include <QCoreApplication>
#include <QDialog>
#include <QDialogButtonBox>
#include <QLabel>
#include <QVBoxLayout>

namespace signalbox::ui {

namespace {
struct AboutDialogWords {
    Q_DECLARE_TR_FUNCTIONS(AboutDialog)
};
}  // namespace

void showAbout(QWidget* parent) {
    auto* dialog = new QDialog(parent);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setObjectName(QStringLiteral("aboutDialog"));
    dialog->setWindowTitle(AboutDialogWords::tr("About Signalbox"));
    dialog->setModal(true);

    auto* mark = new QLabel;
    mark->setPixmap(Theme::instance().icon(QStringLiteral("signalbox")).pixmap(48, 48));
    auto* title = new QLabel(AboutDialogWords::tr("Signalbox"));
    title->setFont(Theme::instance().titleFont());
    auto* titles = new QVBoxLayout;
    titles->setSpacing(2);
    titles->addWidget(title);
    titles->addWidget(makeMuted(AboutDialogWords::tr("Decide where LLM requests go, and see why they went there.")));
    auto* head = new QHBoxLayout;
    head->setSpacing(Theme::kMargin);
    head->addWidget(mark, 0, Qt::AlignTop);
    head->addLayout(titles, 1);

    auto* facts = new FactList;
    facts->addText(AboutDialogWords::tr("Version"), QStringLiteral(SIGNALBOX_VERSION));
    facts->addText(AboutDialogWords::tr("Qt"), QString::fromLatin1(qVersion()));
    facts->addText(AboutDialogWords::tr("Source code"), AboutDialogWords::tr("MIT licence"));
    facts->addText(AboutDialogWords::tr("This program"), AboutDialogWords::tr("GPL-3.0, because it is linked with Qt Charts"));
    facts->addText(AboutDialogWords::tr("signalboxctl"), AboutDialogWords::tr("MIT licence; links no part of Qt Charts"));
    facts->addText(AboutDialogWords::tr("Built with"), QStringLiteral("Qt, Boost, OpenSSL, libpq, libsodium, ISA-L, simdjson, nlohmann/json, toml++, yaml-cpp, spdlog, QtKeychain"));

    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    QObject::connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::reject);
    auto* layout = new QVBoxLayout(dialog);
    layout->setContentsMargins(Theme::kSection, Theme::kSection, Theme::kSection, Theme::kMargin);
    layout->setSpacing(Theme::kMargin);
    layout->addLayout(head);
    layout->addWidget(makeHairline());
    layout->addWidget(facts, 1);
    layout->addWidget(buttons);
    dialog->resize(520, 380);
    dialog->open();
}

}  // namespace signalbox::ui
