// SPDX-License-Identifier: MIT
#include "ui/pages/export/export_page.h"

#include "ui/bridge/async.h"
#include "ui/bridge/lone_worker.h"
#include "ui/document/policy_document.h"
#include "ui/document/table_export.h"
#include "ui/pages/export/export_contents.h"
#include "ui/pages/export/export_outcome.h"
#include "ui/pages/export/signing_form.h"
#include "ui/widgets/basics.h"
#include "ui/widgets/empty_state.h"
#include "ui/theme/format.h"

#include <QFrame>
#include <QHBoxLayout>
#include <QScrollArea>
#include <QStackedWidget>
#include <QTimer>
#include <QVBoxLayout>

namespace signalbox::ui {

static constexpr int kSideBySideWidth = 760;

static std::filesystem::path pathOf(const QString& text) { return std::filesystem::path(text.toStdU16String()); }

ExportPage::ExportPage(PageContext context, QWidget* parent)
    : Page(std::move(context), parent), m_contents(new ExportContents), m_form(new SigningForm), m_outcome(new ExportOutcome),
      m_empty(new EmptyState(QStringLiteral("export"), tr("No routing table is open"),
                             tr("From here a routing table leaves this machine with a signature, so that every gateway can check who "
                                "vouches for it. Open a workspace or a routing table first."))),
      m_stack(new QStackedWidget), m_scroll(new QScrollArea), m_keyWork(new LoneWorker(this)) {
    makeLayout();
    connect(m_context.document, &PolicyDocument::changed, this, &ExportPage::takeWorkspace);
    connect(m_form, &SigningForm::newKeyWanted, this, &ExportPage::createKey);
    connect(m_form, &SigningForm::exportWanted, this, &ExportPage::startExport);
    connect(m_form, &SigningForm::cancelWanted, this, &ExportPage::cancel);
    takeWorkspace();
}

// What has begun to write takes milliseconds more, and no table is to stand there without its signature.
ExportPage::~ExportPage() {
    if (m_gate && !m_gate->callOff()) m_keyWork->finish();
}

QString ExportPage::question() const { return tr("What exactly leaves this machine, and who vouches for it?"); }

void ExportPage::makeLayout() {
    auto* content = new QWidget;
    auto* steps = new QVBoxLayout;
    steps->setSpacing(Theme::kSection);
    steps->addWidget(m_form);
    steps->addWidget(m_outcome);
    steps->addStretch();
    m_columns = new QBoxLayout(QBoxLayout::LeftToRight);
    m_columns->setSpacing(Theme::kSection);
    m_columns->addWidget(m_contents, 1);
    m_columns->addLayout(steps, 1);
    auto* layout = new QVBoxLayout(content);
    layout->setContentsMargins(Theme::kSection, 0, Theme::kSection, Theme::kMargin);
    layout->setSpacing(Theme::kMargin);
    layout->addWidget(makeHairline());
    layout->addLayout(m_columns, 1);
    m_scroll->setWidget(content);
    m_scroll->setWidgetResizable(true);
    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->setFocusPolicy(Qt::NoFocus);  // it scrolls along with the focus of what lies in it
    content->setAutoFillBackground(false);
    m_scroll->viewport()->setAutoFillBackground(false);
    m_scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_stack->addWidget(m_scroll);
    m_stack->addWidget(m_empty);
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->addWidget(m_stack);
}

void ExportPage::resizeEvent(QResizeEvent* event) {
    Page::resizeEvent(event);
    m_columns->setDirection(width() < kSideBySideWidth ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight);
}

void ExportPage::showEvent(QShowEvent* event) {
    Page::showEvent(event);
    answer(m_answer);
    listKeys();
}

void ExportPage::answer(const QString& sentence) {
    m_answer = sentence;
    Q_EMIT answerChanged(sentence);
}

void ExportPage::takeWorkspace() {
    const auto workspace = m_context.document->workspace();
    const bool ready = workspace && workspace->table.table && !workspace->tableFile.empty();
    m_outcome->clear();
    m_form->setReady(ready);
    m_stack->setCurrentIndex(ready ? 0 : 1);
    if (!ready) {
        answer(tr("Nothing: no routing table is open."));
        return;
    }
    m_contents->show(*workspace);
    const auto bytes = tableBytes(*workspace);
    answer(tr("One table of %1, SHA-256 %2, and one signature. Nothing has been exported in this session.")
                             .arg(bytes ? format::bytes(*bytes) : format::none(), format::shortHash(workspace->table.sha256)));
}

void ExportPage::listKeys(const std::filesystem::path& select) {
    if (m_context.keyFolder.empty()) {
        refuse(tr("No place for keys"), Error{ErrorKind::unavailable, "nobody knows where your keys are", {}, "Set HOME or XDG_CONFIG_HOME and start again."});
        return;
    }
    const auto before = m_form->key();
    const auto wanted = !select.empty() || !before ? select : before->files.secret;
    runAsync(
        this, [folder = m_context.keyFolder] { return signing::listKeys(folder); },
        [this, wanted](Result<signing::KeyList> keys) {
            if (!keys) {
                refuse(tr("Keys cannot be listed"), keys.error());
                return;
            }
            m_form->setKeys(*keys, m_context.keyFolder);
            if (!wanted.empty()) m_form->selectKey(wanted);
        });
}

void ExportPage::createKey(const QString& name, const QString& password) {
    m_form->setBusy(m_keyWork->isBusy() ? tr("What was called off runs out first, for up to 3 seconds; then the key is created…")
                                        : tr("Creating the key…"));
    m_gate = std::make_shared<WriteGate>();
    m_keyWork->run(
        this,
        [folder = m_context.keyFolder, name = format::utf8(name), password = format::utf8(password), owner = format::utf8(m_form->signer()), gate = m_gate] {
            return createSigningKey(folder, name, password, owner, gate);
        },
        [this, gate = m_gate](Result<signing::ListedKey> key) {
            if (gate != m_gate) return;  // called off, and said so already
            m_gate.reset();
            m_form->setBusy({});
            if (!key) {
                refuse(tr("No key was created"), key.error());
                return;
            }
            m_outcome->clear();
            m_form->closeNewKey();
            listKeys(key->files.secret);
            m_context.say(tr("Key %1 was created.").arg(format::text(key->key.idText())));
        });
}

void ExportPage::startExport() {
    const auto workspace = m_context.document->workspace();
    const auto key = m_form->key();
    if (!workspace || !key) return;
    // What leaves is the file; a draft that is shown but not saved would be another table.
    const QString file = QString::fromStdU16String(workspace->tableFile.u16string());
    if (m_context.document->dirtyFiles().contains(file)) {
        refuse(tr("Nothing was exported"), Error{ErrorKind::conflict, "the table holds changes that are not saved", format::utf8(file), "Save the draft (Ctrl+S), look at it, then export it."});
        return;
    }
    ExportRequest request{.tableFile = workspace->tableFile,
                          .expectedSha256 = workspace->table.sha256,
                          .folder = pathOf(m_form->folder()),
                          .replace = m_form->replace(),
                          .key = key->files,
                          .password = format::utf8(m_form->password()),
                          .signer = format::utf8(m_form->signer()),
                          .policyVersion = policyVersionOf(*workspace),
                          .at = format::now()};
    const auto table = config::WorkspacePaths{request.folder}.table();
    m_outcome->clear();
    m_form->setBusy(m_keyWork->isBusy() ? tr("What was called off runs out first, for up to 3 seconds; then the table is signed…")
                                        : tr("Unlocking the key and signing… A key made by stock minisign takes 2 to 3 seconds."));
    m_gate = request.gate = std::make_shared<WriteGate>();
    m_keyWork->run(
        this, [request = std::move(request)] { return exportTable(request); },
        [this, table, pair = key->files, gate = m_gate](Result<ExportResult> result) {
            if (gate != m_gate) return;  // called off, and said so already
            m_gate.reset();
            // Not from somebody who has gone on elsewhere meanwhile.
            const bool isWaitedFor = m_form->isVisible() && m_form->isAncestorOf(window()->focusWidget());
            m_form->setBusy({});
            if (!result) {
                refuse(tr("Not exported"), result.error());
                // Another table in the folder is the one conflict that the operator can allow.
                if (result.error().kind == ErrorKind::conflict && result.error().where == table.string()) m_form->offerReplace(true);
                return;
            }
            m_form->clearPassword();
            m_form->offerReplace(false);
            m_outcome->show(*result, pair);
            if (isWaitedFor) m_outcome->takeFocus();
            const QString sentence = tr("Exported to %1, signed by %2 with key %3.")
                                         .arg(QString::fromStdU16String(result->table.parent_path().u16string()), format::text(result->verified.signerText()),
                                              format::text(result->verified.key.idText()));
            answer(sentence);
            m_context.say(sentence);
            QTimer::singleShot(0, m_scroll, [this] { m_scroll->ensureWidgetVisible(m_outcome); });
        });
}

// The derivation of a key cannot be interrupted; it runs out on its thread, whose answer nobody takes.
void ExportPage::cancel() {
    if (!m_gate || !m_gate->callOff()) return;
    m_gate.reset();
    m_form->setBusy({});
    m_context.say(tr("Called off; nothing was written."));
}

void ExportPage::refuse(const QString& title, const Error& error) {
    m_outcome->show(title, error);
    QTimer::singleShot(0, m_scroll, [this] { m_scroll->ensureWidgetVisible(m_outcome); });
}

}  // namespace signalbox::ui
