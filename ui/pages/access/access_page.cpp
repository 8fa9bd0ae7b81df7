// SPDX-License-Identifier: MIT
#include "ui/pages/access/access_page.h"

#include "router/config/source.h"
#include "ui/document/policy_document.h"
#include "ui/pages/access/access_facts.h"
#include "ui/pages/access/access_fields.h"
#include "ui/pages/access/access_model.h"
#include "ui/theme/format.h"
#include "ui/theme/plain_tip.h"
#include "ui/widgets/action_button.h"
#include "ui/widgets/basics.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/fact_list.h"
#include "ui/widgets/table_view.h"

#include <QAction>
#include <QHBoxLayout>
#include <QPushButton>
#include <QStackedWidget>
#include <QTabBar>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace signalbox::ui {

static constexpr std::array kAllLists{AccessList::principals, AccessList::providers, AccessList::prices, AccessList::aliases};
static constexpr std::array kListWords{"principals", "providers", "prices", "aliases"};

static QString titleOf(AccessList list) {
    switch (list) {
    case AccessList::principals: return AccessPage::tr("Principals");
    case AccessList::providers: return AccessPage::tr("Providers");
    case AccessList::prices: return AccessPage::tr("Prices");
    case AccessList::aliases: break;
    }
    return AccessPage::tr("Aliases");
}

static EmptyState* emptyStateOf(AccessList list) {
    const auto make = [](const QString& title, const QString& text) { return new EmptyState(QStringLiteral("access"), title, text); };
    switch (list) {
    case AccessList::principals:
        return make(AccessPage::tr("No principals yet"),
                    AccessPage::tr("A principal is somebody who sends: a program or a person, with a token of their own. Give each team one, and you see what it "
                                   "spends, bound what it may use, and stop it alone. Without principals everybody shares the gateway's token."));
    case AccessList::providers:
        return make(AccessPage::tr("No providers yet"),
                    AccessPage::tr("A provider is a base URL, a key and a protocol. Write [providers.NAME] with base_url = \"http…\" in gateway.toml, or "
                                   "protocol = \"simulated\" to try things without one."));
    case AccessList::prices:
        return make(AccessPage::tr("No prices yet"),
                    AccessPage::tr("Prices make costs out of tokens: for budgets, for the economy profile, for every estimate. A model without one counts as "
                                   "$1 in and $4 out for a million tokens."));
    case AccessList::aliases: break;
    }
    return make(AccessPage::tr("No aliases yet"), AccessPage::tr("An alias is a name that clients send as model. A static one always means the same endpoint, so that you can move it "
                                                                 "without touching a client; a smart one belongs to a group, which chooses."));
}

AccessPage::AccessPage(PageContext context, QWidget* parent, config::Environment environment)
    : Page(std::move(context), parent), m_environment(std::move(environment)), m_tabs(new QTabBar), m_stack(new QStackedWidget), m_add(new QAction(tr("Add"), this)),
      m_duplicate(new QAction(tr("Duplicate"), this)), m_remove(new QAction(tr("Delete"), this)) {
    for (const AccessList list : kAllLists) {
        View& made = view(list);
        made = {new AccessModel(list, this), new TableView(titleOf(list))};
        made.table->setObjectName(QLatin1String(kListWords[static_cast<std::size_t>(list)]));
        made.table->setSortableModel(made.model);
        made.table->setEmptyState(emptyStateOf(list));
    }
    makeLayout();
    makeActions();
    connectSources();
    takeDraft();
}

// A view whose model dies has no current row any more and says so, when this is no page any more.
AccessPage::~AccessPage() {
    for (const View& one : m_views) one.table->disconnect(this);
    m_tabs->disconnect(this);
}

QString AccessPage::question() const { return tr("Who may send what, and at whose cost?"); }

void AccessPage::makeLayout() {
    m_tabs->setAccessibleName(tr("What to show"));
    m_tabs->setDrawBase(false);
    m_tabs->setExpanding(false);
    for (const AccessList list : kAllLists) {
        m_tabs->addTab(titleOf(list));
        m_stack->addWidget(view(list).table);
    }
    auto* bar = new QHBoxLayout;
    bar->setSpacing(Theme::kGap);
    bar->addWidget(m_tabs);
    bar->addStretch();
    bar->addWidget(new ActionButton(m_add, QStringLiteral("plus"), ButtonRole::normal, false));
    bar->addWidget(new ActionButton(m_duplicate, QStringLiteral("copy"), ButtonRole::quiet, false));
    bar->addWidget(new ActionButton(m_remove, QStringLiteral("close"), ButtonRole::quiet, false));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(Theme::kSection, 0, Theme::kSection, Theme::kMargin);
    layout->setSpacing(Theme::kGap);
    layout->addLayout(bar);
    layout->addWidget(makeHairline());
    layout->addWidget(m_stack, 1);
}

void AccessPage::makeActions() {
    m_add->setShortcut(QKeySequence(Qt::Key_Insert));
    m_duplicate->setShortcut(QKeySequence(Qt::CTRL | Qt::Key_D));
    m_remove->setShortcut(QKeySequence(Qt::Key_Delete));
    for (QAction* action : {m_add, m_duplicate, m_remove}) {
        // Of the tables only: in a field of the inspector Delete deletes a letter.
        action->setShortcutContext(Qt::WidgetShortcut);
        for (const View& one : m_views) one.table->addAction(action);
    }
    connect(m_add, &QAction::triggered, this, &AccessPage::add);
    connect(m_duplicate, &QAction::triggered, this, &AccessPage::duplicate);
    connect(m_remove, &QAction::triggered, this, &AccessPage::remove);
}

void AccessPage::connectSources() {
    connect(m_tabs, &QTabBar::currentChanged, this, [this](int index) {
        m_stack->setCurrentIndex(index);
        updateActions();
    });
    for (const View& one : m_views) {
        connect(one.table, &TableView::rowSelected, this, [this, model = one.model](int row) {
            const AccessKey* key = model->keyAt(row);
            if (key != nullptr && !m_filling) inspect(*key);
            updateActions();
        });
        connect(one.table, &TableView::rowOpened, this, [this] {
            if (const AccessKey* key = currentKey(); key != nullptr && !key->group.isEmpty()) m_context.go(QStringLiteral("groups"), {{QStringLiteral("group"), key->group}});
            else if (m_form) m_form->takeFocus();
        });
    }
    connect(m_context.document, &PolicyDocument::changed, this, &AccessPage::takeDraft);
    connect(m_context.bridge, &Bridge::principalsChanged, this, &AccessPage::takeUse);
}

AccessList AccessPage::currentList() const { return kAllLists[static_cast<std::size_t>(std::max(0, m_tabs->currentIndex()))]; }

const AccessKey* AccessPage::currentKey() const {
    const View& one = m_views[static_cast<std::size_t>(currentList())];
    return one.model->keyAt(one.table->currentSourceRow());
}

std::shared_ptr<const config::GatewayConfig> AccessPage::config() const {
    const auto workspace = m_context.document->workspace();
    return workspace ? workspace->config.config : nullptr;
}

AccessFacts AccessPage::facts() const { return {m_context.bridge->principals(), m_environment, format::now()}; }

void AccessPage::fillRows() {
    const auto known = config();
    const AccessFacts now = facts();
    m_filling = true;
    for (const AccessList list : kAllLists) {
        View& one = view(list);
        const AccessKey* current = one.model->keyAt(one.table->currentSourceRow());
        const std::optional<AccessKey> before = current != nullptr ? std::optional(*current) : std::nullopt;
        const int place = one.table->currentSourceRow();
        one.model->set(known ? accessRows(list, *known, now) : std::vector<AccessRow>{});
        // Where a row was deleted the next one is at hand.
        if (before && one.table->currentSourceRow() < 0) {
            const int again = one.model->rowOf(*before);
            one.table->selectSourceRow(again >= 0 ? again : std::min(place, one.model->rows() - 1));
        }
        m_tabs->setTabText(static_cast<int>(list), one.model->rows() == 0 ? titleOf(list) : tr("%1  %2").arg(titleOf(list), format::count(static_cast<quint64>(one.model->rows()))));
    }
    m_filling = false;
}

void AccessPage::takeDraft() {
    fillRows();
    if (m_wanted && view(m_wanted->list).model->rowOf(*m_wanted) >= 0) {
        // Later: a form that was just written in is still telling so.
        QMetaObject::invokeMethod(this, [this, wanted = *std::exchange(m_wanted, std::nullopt)] { select(wanted); }, Qt::QueuedConnection);
    } else {
        refreshSheet();
    }
    updateActions();
    takeUse();
}

void AccessPage::takeUse() {
    const auto known = config();
    if (!known) {
        Q_EMIT answerChanged(tr("No policy is open."));
        return;
    }
    view(AccessList::principals).model->set(accessRows(AccessList::principals, *known, facts()));
    if (m_facts && m_shown) fillFacts(*m_facts, *m_shown, *known, facts());
    Q_EMIT answerChanged(accessSentence(*known, facts()));
}

void AccessPage::showList(AccessList list) { m_tabs->setCurrentIndex(static_cast<int>(list)); }

void AccessPage::select(const AccessKey& key) {
    View& one = view(key.list);
    const int row = one.model->rowOf(key);
    if (row < 0) return;
    showList(key.list);
    m_filling = true;
    one.table->selectSourceRow(row);
    m_filling = false;
    inspect(key);
}

static QString subjectName(const AccessKey& key) { return key.model.isEmpty() ? key.name : key.name + QLatin1Char(':') + key.model; }

void AccessPage::inspect(const AccessKey& key) {
    const auto known = config();
    if (!known) return;
    if (m_shown == key && m_sheet) return refreshSheet();
    auto* sheet = new QWidget;
    auto* layout = new QVBoxLayout(sheet);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(Theme::kGapWide);
    auto* list = new FactList;
    fillFacts(*list, key, *known, facts());
    layout->addWidget(list);
    FieldForm* form = nullptr;
    if (key.group.isEmpty()) {
        layout->addWidget(makeHairline());
        form = new FieldForm(m_context.document, m_environment, {subjectName(key), subjectName(key), config::dottedPath(pathOf(key))}, accessFields(key));
        connect(form, &FieldForm::renaming, this, [this, key](const QString& name) {
            m_wanted = key;
            (key.list == AccessList::prices ? m_wanted->model : m_wanted->name) = name;
            if (name.isEmpty()) m_wanted.reset();
        });
        // F82: a form that would blank what it cannot show stays closed.
        if (!form->cannotShow().isEmpty()) {
            layout->addWidget(makeLabel(form->cannotShow()));
            delete std::exchange(form, nullptr);
        } else {
            layout->addWidget(form);
        }
    } else {
        auto* button = makeButton(tr("Show the group"), QStringLiteral("groups"));
        connect(button, &QPushButton::clicked, sheet, [go = m_context.go, group = key.group] { go(QStringLiteral("groups"), {{QStringLiteral("group"), group}}); });
        layout->addWidget(button, 0, Qt::AlignLeft);
    }
    m_shown = key;
    m_sheet = sheet;
    m_facts = list;
    m_form = form;
    static const std::array kTitles{QT_TR_NOOP("Principal"), QT_TR_NOOP("Provider"), QT_TR_NOOP("Price"), QT_TR_NOOP("Alias")};
    m_context.inspect(sheet, tr("%1 %2").arg(tr(kTitles[static_cast<std::size_t>(key.list)]), subjectName(key)));
}

void AccessPage::dropSheet() {
    m_shown.reset();
    if (m_form) m_form->letGo();
    m_context.inspect(nullptr, {});
}

void AccessPage::refreshSheet() {
    // Somebody else's content may stand in the inspector by now; and what is new is not in the draft yet.
    if (!m_sheet || !m_shown) return;
    if (view(m_shown->list).model->rowOf(*m_shown) < 0) return dropSheet();
    if (m_form) m_form->refresh();
    // What came in from the file may be more than the form can show.
    if (m_form && !m_form->cannotShow().isEmpty()) {
        const AccessKey key = *std::exchange(m_shown, std::nullopt);
        inspect(key);
    }
}

static QString addText(AccessList list) {
    switch (list) {
    case AccessList::principals: return AccessPage::tr("Add principal");
    case AccessList::providers: break;
    case AccessList::prices: return AccessPage::tr("Add price");
    case AccessList::aliases: return AccessPage::tr("Add alias");
    }
    return AccessPage::tr("Add");
}

void AccessPage::updateActions() {
    const bool editable = m_context.document->canEditConfig();
    const AccessList list = currentList();
    const AccessKey* key = currentKey();
    const bool own = editable && list != AccessList::providers && key != nullptr && key->group.isEmpty();
    m_add->setEnabled(editable && list != AccessList::providers && (list != AccessList::prices || (config() && !config()->providers.empty())));
    m_duplicate->setEnabled(own);
    m_remove->setEnabled(own);
    m_add->setText(addText(list));
    const QString why = !editable                           ? tr("No gateway.toml is open")
                        : list == AccessList::providers     ? tr("Providers are added and removed in gateway.toml")
                        : key != nullptr && !key->group.isEmpty() ? tr("This alias belongs to its group")
                                                            : QString();
    for (QAction* action : {m_add, m_duplicate, m_remove}) {
        const QString keys = action->shortcut().toString(QKeySequence::NativeText);
        action->setToolTip(plainTip(action->isEnabled() || why.isEmpty() ? tr("%1 (%2)").arg(action->text(), keys) : why));
    }
}

void AccessPage::showEvent(QShowEvent* event) {
    Page::showEvent(event);
    m_interest = m_context.bridge->followPrincipals();
    takeUse();
}

void AccessPage::hideEvent(QHideEvent* event) {
    m_interest.reset();
    Page::hideEvent(event);
}

static std::optional<AccessList> listOf(const QString& word) {
    for (const AccessList list : kAllLists)
        if (word == QLatin1String(kListWords[static_cast<std::size_t>(list)])) return list;
    return std::nullopt;
}

void AccessPage::open(const QVariantMap& arguments) {
    const auto list = listOf(arguments.value(QStringLiteral("list")).toString());
    if (!list) return;
    showList(*list);
    const QString name = arguments.value(QStringLiteral("name")).toString(), model = arguments.value(QStringLiteral("model")).toString();
    for (int row = 0; row < view(*list).model->rows(); ++row)
        if (const AccessKey key = *view(*list).model->keyAt(row); key.name == name && key.model == model) return select(key);
    if (name.isEmpty()) return;
    // The way back, or a link, may name one that an edit took away: nothing of another one may stand for it.
    if (m_sheet) dropSheet();
    view(*list).table->selectionModel()->clear();
    m_context.say(tr("%1 is not in what is open").arg(model.isEmpty() ? name : name + QLatin1Char(':') + model));
}

QVariantMap AccessPage::state() const {
    QVariantMap out{{QStringLiteral("list"), QLatin1String(kListWords[static_cast<std::size_t>(currentList())])}};
    if (const AccessKey* key = currentKey()) {
        out.insert(QStringLiteral("name"), key->name);
        if (!key->model.isEmpty()) out.insert(QStringLiteral("model"), key->model);
    }
    return out;
}

QList<QAction*> AccessPage::pageActions() const { return {m_add, m_duplicate, m_remove}; }

QList<Page::Findable> AccessPage::findables() const {
    QList<Findable> all;
    const auto addAll = [&](AccessList list, const QString& kind) {
        const AccessModel* model = m_views[static_cast<std::size_t>(list)].model;
        for (int row = 0; row < model->rows(); ++row)
            all << Findable{model->keyAt(row)->name, kind,
                            {{QStringLiteral("list"), QLatin1String(kListWords[static_cast<std::size_t>(list)])}, {QStringLiteral("name"), model->keyAt(row)->name}}};
    };
    addAll(AccessList::principals, tr("principal"));
    addAll(AccessList::providers, tr("provider"));
    addAll(AccessList::aliases, tr("alias"));
    return all;
}

}  // namespace signalbox::ui
