// SPDX-License-Identifier: MIT
#include "ui/pages/endpoints/models_hint.h"

#include "ui/widgets/basics.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace signalbox::ui {

QString ModelsHint::snippet() {
    return QStringLiteral("[resources.gpu-slots]\n"
                          "kind = \"concurrency\"\n"
                          "limit = 8\n"
                          "\n"
                          "[models.chat]\n"
                          "router = \"routewise\"\n"
                          "router_params = { budget_alpha = 0.5 }\n"
                          "\n"
                          "[[models.chat.route]]\n"
                          "provider = \"my_gpu\"\n"
                          "kind = \"local\"\n"
                          "provider_type = \"concurrency\"\n"
                          "resources = [\"gpu-slots\"]\n"
                          "\n"
                          "[[models.chat.route]]\n"
                          "provider = \"my_cloud\"\n"
                          "kind = \"cloud\"\n");
}

ModelsHint::ModelsHint(QWidget* parent) : QWidget(parent) {
    auto* text = new QVBoxLayout;
    text->setSpacing(Theme::kGap);
    text->addWidget(makeHeading(tr("No model has a router of its own yet")));
    text->addWidget(makeMuted(tr("A model of [models] is a name that clients send, served by several endpoints. Its router chooses one for each request: by fixed "
                                 "weights, by cost and speed (routewise), or the local server first (greedy). Endpoints can share slots and quotas under [resources].")));
    auto* copy = makeButton(tr("Copy this for gateway.toml"), QStringLiteral("copy"));
    text->addWidget(copy, 0, Qt::AlignLeft);
    text->addStretch();
    auto* code = new QLabel(snippet());
    code->setProperty("data", true);
    code->setFont(Theme::instance().fixedFont());
    code->setTextInteractionFlags(Qt::TextSelectableByMouse);
    code->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    code->setAccessibleName(tr("Snippet for gateway.toml"));
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, Theme::kGap, 0, Theme::kGap);
    layout->setSpacing(Theme::kSection);
    layout->addLayout(text, 1);
    layout->addWidget(code);
    connect(copy, &QPushButton::clicked, this, [this] {
        QGuiApplication::clipboard()->setText(snippet());
        Q_EMIT copied();
    });
}

}  // namespace signalbox::ui
