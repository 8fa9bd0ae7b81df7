// SPDX-License-Identifier: MIT
#pragma once

#include "tests/support/fake_target.h"
#include "tests/support/vectors.h"
#include "ui/bridge/bridge.h"
#include "ui/document/gateway_control.h"
#include "ui/document/policy_document.h"
#include "ui/pages/page.h"
#include "ui/theme/format.h"
#include "ui/theme/theme.h"

#include <QFile>
#include <QLabel>
#include <QPushButton>
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
    /// Into the folder's policy, as somebody's editor would.
    bool writePolicy(const QByteArray& toml) const {
        QFile policy(folder.filePath(QStringLiteral("gateway.toml")));
        return policy.open(QIODevice::WriteOnly) && policy.write(toml) == toml.size() && policy.flush();
    }
    /// A workspace of its own: the demo's table, and this as its policy.
    bool openPolicy(const QByteArray& toml) {
        QFile::copy(QStringLiteral(SIGNALBOX_SOURCE_DIR "/resources/demo/routing-table.json"), folder.filePath(QStringLiteral("routing-table.json")));
        return writePolicy(toml) && open(folder.path());
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
            // The old content may be the sender of the signal that brought us here, as in the real inspector.
            if (inspected) inspected.release()->deleteLater();
            inspected.reset(content);
            inspectedTitle = title;
        };
        made.say = [this](const QString& text) { sayings << text; };
        made.complain = [this](const Error& error) { sayings << QString::fromStdString(error.text()); };
        return made;
    }
};

/// A page over its harness, as most tests of a page want it: with the range around now.
template <class P>
struct PageFixture {
    PageHarness harness;
    std::unique_ptr<P> page;

    PageFixture() {
        harness.view.follow(ui::format::now() + std::chrono::hours(1));
        page = std::make_unique<P>(harness.context());
    }
    [[nodiscard]] bool openDemo() { return harness.open(QStringLiteral(SIGNALBOX_SOURCE_DIR "/resources/demo")); }
    /// The demo's table is another's; this is a fork of it.
    [[nodiscard]] bool openFork() { return openDemo() && harness.document.forkTable().has_value(); }
    /// The real emitted table, which stands beside a checkout or nowhere.
    [[nodiscard]] static bool hasGenesis() { return std::filesystem::exists(genesis()); }
    [[nodiscard]] bool openGenesis() { return harness.open(QString::fromStdU16String(genesis().u16string())); }

    [[nodiscard]] bool showsText(const QString& text) const {
        for (const auto* label : page->template findChildren<QLabel*>())
            if (label->isVisibleTo(page.get()) && label->text() == text) return true;
        return false;
    }
    /// A list or table by its accessible name.
    template <class V>
    [[nodiscard]] V* view(const QString& name) const {
        for (auto* candidate : page->template findChildren<V*>())
            if (candidate->accessibleName() == name) return candidate;
        return nullptr;
    }
    /// A control of the form in the inspector.
    template <class W>
    [[nodiscard]] W* control(const QString& key) const {
        return harness.inspected ? harness.inspected->template findChild<W*>(key) : nullptr;
    }
    [[nodiscard]] QPushButton* button(const QWidget* in, const QString& text) const {
        for (auto* candidate : in->template findChildren<QPushButton*>())
            if (candidate->text() == text) return candidate;
        return nullptr;
    }

private:
    static std::filesystem::path genesis() { return sharedVectorsFolder() / "genesis-table-v1.json"; }
};

}  // namespace signalbox::test
