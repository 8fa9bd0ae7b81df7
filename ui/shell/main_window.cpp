// SPDX-License-Identifier: MIT
#include "ui/shell/main_window.h"

#include "ui/bridge/bridge.h"
#include "ui/document/gateway_control.h"
#include "ui/dialogs/about_dialog.h"
#include "ui/dialogs/shortcuts_dialog.h"
#include "ui/document/policy_document.h"
#include "ui/pages/start_here.h"
#include "ui/settings/settings.h"
#include "ui/shell/button_keys.h"
#include "ui/shell/command_palette.h"
#include "ui/shell/draft_control.h"
#include "ui/shell/field_commit.h"
#include "ui/shell/file_drop.h"
#include "ui/shell/focus_keeper.h"
#include "ui/shell/import_control.h"
#include "ui/shell/inspector.h"
#include "ui/shell/navigation.h"
#include "ui/shell/page_frame.h"
#include "ui/shell/palette_commands.h"
#include "ui/shell/status_line.h"
#include "ui/shell/tab_order.h"
#include "ui/shell/target_button.h"
#include "ui/shell/visit_history.h"
#include "ui/shell/window_actions.h"
#include "ui/shell/workspace_button.h"
#include "ui/theme/plain_tip.h"
#include "ui/widgets/error_banner.h"
#include "ui/theme/format.h"

#include <QKeyEvent>
#include <QMenuBar>
#include <QPushButton>
#include <QScreen>
#include <QSplitter>
#include <QVBoxLayout>

namespace signalbox::ui {

using namespace std::chrono_literals;

static constexpr int kRoomForThree = 1280;  // navigation, page and inspector side by side

// Room for the frame that the window manager puts around it; a status line below the screen tells nobody anything.
static QSize firstSize(const QWidget& window) {
    constexpr QSize kWanted(1440, 900), kFrame(16, 56);
    return window.screen() == nullptr ? kWanted : kWanted.boundedTo(window.screen()->availableSize() - kFrame);
}

MainWindow::MainWindow(const Parts& parts, const std::vector<PageEntry>& pages, QWidget* parent)
    : QMainWindow(parent), m_parts(parts), m_view(new ViewState(this)), m_actions(new WindowActions(this)),
      m_start(new StartHere(parts.settings, parts.bridge, parts.document, this)),
      m_navigation(new Navigation), m_frame(new PageFrame(m_view)), m_inspector(new Inspector), m_splitter(new QSplitter),
      m_workspace(new WorkspaceButton(parts.document, parts.settings)), m_visits(std::make_unique<VisitHistory>()) {
    setObjectName(QStringLiteral("mainWindow"));
    resize(firstSize(*this));
    m_view->follow(format::now());
    m_context.bridge = parts.bridge;
    m_context.document = parts.document;
    m_context.view = m_view;
    m_context.gateway = parts.gateway;
    m_context.start = m_start;
    m_context.keyFolder = parts.keyFolder;
    m_context.go = [this](const QString& id, const QVariantMap& arguments) { go(id, arguments); };
    m_context.inspect = [this](QWidget* content, const QString& title) { inspect(m_inspector->page(), content, title); };
    m_context.say = [this](const QString& text) { m_status->say(text); };
    m_context.complain = [this](const Error& error) { complain(error); };

    m_status = new StatusLine(m_context);
    m_target = new TargetButton(m_context, parts.targets);
    m_draft = new DraftControl(m_context, m_frame->banner(), this);
    new ImportControl(m_context, m_actions->importModels, this);
    m_palette = new CommandPalette(this);
    makePages(pages);
    makeLayout();
    m_focus = new FocusKeeper(this, m_frame, m_inspector);
    connectActions();
    connectDocument();
    auto* drop = new FileDrop(this);
    connect(drop, &FileDrop::dropped, this, &MainWindow::openPath);

    m_follow.setInterval(10s);
    connect(&m_follow, &QTimer::timeout, this, [this] { m_view->follow(format::now()); });
    m_follow.start();
    nameWindow();
    const QString last = parts.settings->lastPage();
    showPage(m_pages.contains(last) ? last : m_order.value(0), {});
}

// It looks at the parts of the window, which go in their own order.
MainWindow::~MainWindow() { delete m_focus; }

static QString groupTitle(PageGroup group) {
    switch (group) {
    case PageGroup::now: return MainWindow::tr("NOW");
    case PageGroup::policy: return MainWindow::tr("POLICY");
    case PageGroup::evidence: return MainWindow::tr("EVIDENCE");
    case PageGroup::ship: return MainWindow::tr("SHIP");
    }
    return {};
}

void MainWindow::makePages(const std::vector<PageEntry>& pages) {
    std::optional<PageGroup> group;
    for (const PageEntry& entry : pages) {
        const auto id = std::make_shared<QString>();  // the page says it once it is there
        PageContext context = m_context;
        context.inspect = [this, id](QWidget* content, const QString& title) { inspect(*id, content, title); };
        Page* page = entry.make(context, nullptr);
        *id = page->id();
        addPage(entry, page, group);
    }
    connect(m_navigation, &Navigation::chosen, this, [this](const QString& id) { go(id); });
}

void MainWindow::addPage(const PageEntry& entry, Page* page, std::optional<PageGroup>& group) {
    const QString id = page->id();
    page->setObjectName(id);
    page->setAccessibleName(page->name());
    if (group != entry.group) m_navigation->addGroup(groupTitle(entry.group));
    group = entry.group;
    m_navigation->addPage(id, page->name(), page->iconName(), page->question());
    m_frame->addPage(page);
    m_pages.insert(id, page);
    m_order << id;

    auto* action = new QAction(page->name(), this);
    action->setObjectName(QStringLiteral("page.") + id);
    action->setToolTip(plainTip(page->question()));
    if (id == QLatin1String("events")) action->setShortcut(QKeySequence(QStringLiteral("Ctrl+Shift+E")));
    if (m_order.size() <= 10) action->setShortcut(QKeySequence(QStringLiteral("Ctrl+%1").arg(m_order.size() % 10)));
    connect(action, &QAction::triggered, this, [this, id] { go(id); });
    m_pageActions << action;
    addActions(page->pageActions());
}

void MainWindow::makeLayout() {
    auto* top = new QWidget;
    auto* topLayout = new QVBoxLayout(top);
    topLayout->setContentsMargins(Theme::kGap, 0, Theme::kGap, 0);
    topLayout->setSpacing(0);
    topLayout->addWidget(m_target);
    topLayout->addWidget(m_workspace);
    m_navigation->setTop(top);

    m_splitter->setChildrenCollapsible(false);
    m_splitter->setProperty("role", QStringLiteral("hairline"));
    m_splitter->setHandleWidth(1);
    m_splitter->addWidget(m_navigation);
    m_splitter->addWidget(m_frame);
    m_splitter->addWidget(m_inspector);
    m_splitter->setStretchFactor(1, 1);
    m_splitter->setSizes({200, 900, 340});
    auto* centre = new QWidget;
    auto* layout = new QVBoxLayout(centre);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_splitter, 1);
    layout->addWidget(m_status);
    setCentralWidget(centre);
    setMinimumSize(960, 600);
    m_actions->fill(menuBar(), *m_draft, *m_parts.gateway, m_pageActions, m_workspace->recentMenu(), m_target->targetMenu());
    m_workspace->setActions({m_actions->newWorkspace, m_actions->openWorkspace, m_actions->openTable});
    restoreGeometry(m_parts.settings->windowGeometry());
    m_splitter->restoreState(m_parts.settings->splitterState());
    setInspectorShown(m_parts.settings->inspectorVisible());
}

void MainWindow::connectActions() {
    addActions(m_actions->all() + m_draft->all() + QList<QAction*>{m_parts.gateway->killAction()});
    new ButtonKeys(this);
    new FieldCommit({m_draft->saveAction(), m_draft->revertAction(), m_actions->reload, m_parts.gateway->applyAction()}, this);
    const auto on = [this](QAction* action, auto slot) { connect(action, &QAction::triggered, this, slot); };
    on(m_actions->newWorkspace, [this] { m_workspace->makeWorkspace(); });
    on(m_actions->openWorkspace, [this] { m_workspace->chooseWorkspace(); });
    on(m_actions->openTable, [this] { m_workspace->chooseTable(); });
    on(m_actions->exportTable, [this] { go(QStringLiteral("export")); });
    on(m_actions->reload, [this] { m_parts.document->reload(); });
    on(m_actions->quit, [this] { close(); });
    on(m_actions->palette, [this] { openPalette(); });
    on(m_actions->back, [this] { goBack(); });
    on(m_actions->forward, [this] { goForward(); });
    on(m_actions->inspector, [this](bool shown) {
        setInspectorShown(shown);
        if (shown && m_inspector->isHidden()) m_status->say(tr("Nothing is selected: in a window this small the inspector opens with what you select"));
    });
    on(m_actions->nextRegion, [this] { focusNextRegion({m_navigation, m_frame, m_inspector, m_status}, focusWidget()); });
    for (const auto choice : {ThemeChoice::system, ThemeChoice::light, ThemeChoice::dark})
        on(m_actions->themeAction(choice), [this, choice] { applyTheme(static_cast<int>(choice)); });
    m_actions->themeAction(m_parts.settings->theme())->setChecked(true);
    on(m_actions->startHere, [this] {
        m_start->setShown(true);
        go(QStringLiteral("overview"), {{QStringLiteral("cause"), QStringLiteral("start")}});
    });
    on(m_actions->shortcuts, [this] { showShortcuts(this, m_actions->all() + m_draft->all() + m_pageActions + QList<QAction*>{m_parts.gateway->applyAction(), m_parts.gateway->killAction()}); });
    on(m_actions->about, [this] { showAbout(this); });
    m_actions->exportTable->setEnabled(m_pages.contains(QStringLiteral("export")));
    m_actions->back->setEnabled(false);
    m_actions->forward->setEnabled(false);
    connect(m_workspace, &WorkspaceButton::chosen, this, [this](const QString& path) {
        const QString caution = m_caution;
        openPath(path);
        m_caution = caution;
    });
    connect(m_workspace, &WorkspaceButton::failed, this, &MainWindow::complain);
    connect(m_workspace, &WorkspaceButton::cautioned, this, [this](const QString& text) { m_caution = text; });
    connect(m_inspector, &Inspector::closed, this, [this] { setInspectorShown(false); });
    connect(m_parts.gateway, &GatewayControl::asked, this, &MainWindow::ask);
    // A question about the gateway that was looked at is not one about this.
    connect(m_parts.bridge, &Bridge::targetChanged, this, [this] {
        if (std::exchange(m_asks, false)) m_frame->banner()->dismiss();
    });
    connect(m_parts.gateway, &GatewayControl::said, m_status, &StatusLine::say);
    connect(m_parts.gateway, &GatewayControl::failed, this, &MainWindow::complain);
}

void MainWindow::connectDocument() {
    auto* document = m_parts.document;
    connect(m_draft, &DraftControl::opened, this, [this, document] {
        nameWindow();
        const bool ownName = document->workspace()->tableFile.filename() != "routing-table.json";
        m_parts.settings->addRecentWorkspace(ownName ? QString::fromStdU16String(document->workspace()->tableFile.u16string()) : document->folder());
        const QString caution = std::exchange(m_caution, {});
        m_status->say(caution.isEmpty() ? tr("%1 is open").arg(document->title()) : caution);
        meetGuest();
    });
    connect(document, &PolicyDocument::changed, this, [document] {
        QStringList entities;
        if (const auto table = document->table())
            for (const auto& preset : table->presets) entities << format::text(preset.presetKey);
        Theme::instance().knowSeries(entities);
    });
    connect(m_status, &StatusLine::changesWanted, m_draft->changesAction(), &QAction::trigger);
}

Page* MainWindow::currentPage() const { return m_frame->current(); }

void MainWindow::openPath(const QString& path) {
    m_caution.clear();  // of something that was not opened
    m_draft->settleThen([this, path] { m_parts.document->openPath(path); });
}

void MainWindow::showPage(const QString& id, const QVariantMap& arguments) {
    Page* page = m_pages.value(id);
    if (page == nullptr) return;
    m_inspector->setPage(id);
    m_start->seePage(id);
    shareRoom();
    if (!arguments.isEmpty()) page->open(arguments);
    m_frame->show(page);
    m_navigation->setCurrent(id);
    m_actions->back->setEnabled(m_visits->canGoBack());
    m_actions->forward->setEnabled(m_visits->canGoForward());
}

Visit MainWindow::here() const { return {currentPage()->id(), currentPage()->state(), m_view->state()}; }

void MainWindow::comeBackTo(const std::optional<Visit>& visit) {
    if (!visit) return;
    m_view->restore(visit->range);
    showPage(visit->page, visit->state);
}

void MainWindow::go(const QString& pageId, const QVariantMap& arguments) {
    if (!m_pages.contains(pageId)) return;
    m_visits->leave(here());
    showPage(pageId, arguments);
}

void MainWindow::goBack() { comeBackTo(m_visits->back(here())); }
void MainWindow::goForward() { comeBackTo(m_visits->forward(here())); }

void MainWindow::complain(const Error& error) {
    m_draft->letBannerGo();
    m_asks = false;
    m_frame->banner()->show(error);
}

void MainWindow::ask(const QString& question, const QString& verb, const std::function<void()>& go) {
    m_draft->letBannerGo();
    m_frame->banner()->notice(Tone::caution, question, {}, verb, go);
    m_asks = true;
    // Whoever asked by keyboard answers by keyboard; Escape takes it back.
    for (QPushButton* button : m_frame->banner()->findChildren<QPushButton*>())
        if (button->text() == verb) button->setFocus(Qt::ShortcutFocusReason);
}

// The console stays the home of the workspace it was started on; another one is met with the way to its own.
void MainWindow::meetGuest() {
    const QString guest = m_parts.gateway->home().guest();
    if (guest == m_guest) return;
    m_guest = guest;
    if (std::exchange(m_asks, false)) m_frame->banner()->dismiss();
    if (guest.isEmpty()) return;
    m_draft->letBannerGo();
    m_frame->banner()->notice(Tone::info, m_parts.gateway->guestWords(), guest, m_parts.gateway->openVerb(), [this] { m_parts.gateway->openGuest(); });
    m_asks = true;
}

void MainWindow::remark(const QString& message) {
    m_draft->letBannerGo();
    m_asks = false;
    m_frame->banner()->notice(Tone::info, message, {}, {}, {});
}

void MainWindow::inspect(const QString& page, QWidget* content, const QString& title) {
    m_inspector->setContent(page, content, title);
    m_start->seeInspected(content);
    if (content != nullptr && m_inspector->page() == page) setInspectorShown(true);
    else shareRoom();
}

void MainWindow::setInspectorShown(bool shown) {
    m_wantsInspector = shown;
    m_actions->inspector->setChecked(shown);
    shareRoom();
}

// In a small window the page comes first: an inspector with nothing in it is not shown, and beside one that has something the
// navigation folds to its icons.
void MainWindow::shareRoom() {
    const bool small = width() < kRoomForThree;
    m_inspector->setVisible(m_wantsInspector && !(small && m_inspector->isEmpty()));
    foldNavigation(small && !m_inspector->isHidden());
}

void MainWindow::foldNavigation(bool fold) {
    if (fold == m_navigation->isFolded()) return;
    if (fold) m_navigationWidth = m_navigation->width();
    m_splitter->refresh();  // an inspector that was just shown has its width again
    m_navigation->setFolded(fold);
    m_target->setFolded(fold);
    m_workspace->setFolded(fold);
    // The splitter would share what the navigation leaves or takes between both of its neighbours.
    QList<int> sizes = m_splitter->sizes();
    const int navigation = fold ? m_navigation->minimumWidth() : std::max(m_navigationWidth, m_navigation->minimumWidth());
    sizes[1] += sizes[0] - navigation;
    sizes[0] = navigation;
    m_splitter->setSizes(sizes);
}

void MainWindow::resizeEvent(QResizeEvent* event) {
    QMainWindow::resizeEvent(event);
    shareRoom();
}

void MainWindow::openPalette() {
    commitField();
    const auto decision = [this](const QString& text) {
        return decisionCommands(text, [this](const QString& id) { go(QStringLiteral("history"), {{QStringLiteral("decision"), id}}); });
    };
    m_palette->open(commands(), decision);
}

QList<Command> MainWindow::commands() {
    QList<Command> all;
    for (const QString& id : std::as_const(m_order)) {
        all << pageCommand(*m_pages.value(id), [this, id] { go(id); });
    }
    all << actionCommands(currentPage()->pageActions());
    all << actionCommands({m_parts.gateway->startAction(), m_parts.gateway->stopAction(), m_parts.gateway->applyAction(), m_parts.gateway->killAction()});
    all << actionCommands(m_target->chooseActions() + QList<QAction*>{m_target->addAction()});
    all << actionCommands(m_draft->all()) << actionCommands(m_actions->all());
    for (const QString& id : std::as_const(m_order))
        all << findableCommands(*m_pages.value(id), [this, id](const QVariantMap& arguments) { go(id, arguments); });
    return all;
}

void MainWindow::applyTheme(int choice) {
    const auto wanted = static_cast<ThemeChoice>(choice);
    m_parts.settings->setTheme(wanted);
    m_actions->themeAction(wanted)->setChecked(true);
    Theme& theme = Theme::instance();
    theme.setScheme(wanted == ThemeChoice::system ? theme.systemScheme() : wanted == ThemeChoice::dark ? Scheme::dark : Scheme::light);
}

void MainWindow::nameWindow() {
    const QString title = m_parts.document->title();
    setWindowTitle(title.isEmpty() ? tr("Signalbox") : tr("[*]%1 - Signalbox").arg(title));
    m_workspace->refresh();
}

bool MainWindow::focusNextPrevChild(bool next) {
    if (m_focus != nullptr && m_focus->giveBack()) return true;
    return focusNeighbour(centralWidget(), focusWidget(), next) || QMainWindow::focusNextPrevChild(next);
}

// Escape that nobody else wanted puts a message away, wherever the focus is: the window's, then the page's.
void MainWindow::keyPressEvent(QKeyEvent* event) {
    if (event->key() != Qt::Key_Escape || event->modifiers() != Qt::NoModifier) return QMainWindow::keyPressEvent(event);
    for (ErrorBanner* banner : QList<ErrorBanner*>{m_frame->banner()} + currentPage()->findChildren<ErrorBanner*>())
        if (banner->isVisible()) return banner->dismiss();
    QMainWindow::keyPressEvent(event);
}

void MainWindow::closeEvent(QCloseEvent* event) {
    foldNavigation(false);  // its own width is what is kept
    m_parts.settings->setWindow(saveGeometry(), m_splitter->saveState());
    shareRoom();
    m_parts.settings->setInspectorVisible(m_wantsInspector);
    m_parts.settings->setLastPage(currentPage()->id());
    if (!m_closing) commitField();
    if (!m_closing && (m_parts.document->isDirty() || m_parts.document->isChecking())) {
        event->ignore();
        return m_draft->settleThen([this] {
            m_closing = true;
            close();
        });
    }
    QMainWindow::closeEvent(event);
}

}  // namespace signalbox::ui
