// SPDX-License-Identifier: MIT
#pragma once

#include "tests/support/fake_target.h"
#include "ui/bridge/bridge.h"
#include "ui/document/gateway_control.h"
#include "ui/document/policy_document.h"
#include "ui/pages/page.h"
#include "ui/theme/theme.h"

#include <QTemporaryDir>
#include <QTest>

#include <memory>
#include <utility>
#include <vector>

namespace signalbox::test {

/// What one page needs, over a fake target, with everything it asks of the window written down.
struct PageHarness {
    std::shared_ptr<FakeTarget> target = std::make_shared<FakeTarget>();
    ui::Bridge bridge{target};
    ui::PolicyDocument document;
    ui::GatewayControl gateway{&bridge, &document};
    ui::ViewState view;
    QTemporaryDir folder;

    std::vector<std::pair<QString, QVariantMap>> visits;
    std::unique_ptr<QWidget> inspected;
    QString inspectedTitle;
    QStringList sayings;

    PageHarness() { ui::Theme::instance().apply(); }

    /// False when the policy could not be read in time.
    bool open(const QString& path) {
        document.openPath(path);
        return QTest::qWaitFor([this] { return document.workspace() != nullptr; }, 10'000);
    }
    [[nodiscard]] ui::PageContext context() {
        ui::PageContext made;
        made.bridge = &bridge;
        made.document = &document;
        made.view = &view;
        made.gateway = &gateway;
        made.keyFolder = folder.filePath(QStringLiteral("keys")).toStdString();
        made.go = [this](const QString& page, const QVariantMap& arguments) { visits.emplace_back(page, arguments); };
        made.inspect = [this](QWidget* content, const QString& title) {
            inspected.reset(content);
            inspectedTitle = title;
        };
        made.say = [this](const QString& text) { sayings << text; };
        made.complain = [this](const Error& error) { sayings << QString::fromStdString(error.text()); };
        return made;
    }
};

}  // namespace signalbox::test
