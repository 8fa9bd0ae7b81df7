// SPDX-License-Identifier: MIT
#pragma once

#include "router/evidence/history.h"

#include <QString>
#include <QVariantMap>
#include <QWidget>

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>

class QAction;

namespace signalbox::ui {

class Bridge;
class GatewayControl;
class PolicyDocument;
class StartHere;

/// What governs every page at once and is kept between pages.
class ViewState : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;
    /// The range in view. `live` means that it ends now and follows.
    [[nodiscard]] evidence::TimeRange range() const { return m_range; }
    [[nodiscard]] bool isLive() const { return m_live; }
    [[nodiscard]] std::chrono::seconds span() const { return m_span; }
    void setLive(std::chrono::seconds span);
    void setRange(const evidence::TimeRange& range);
    /// Moves a live range to end at `now`.
    void follow(Timestamp now);
    /// The range as part of the way back: live with its span, or from and to.
    [[nodiscard]] QVariantMap state() const;
    void restore(const QVariantMap& state);

Q_SIGNALS:
    void rangeChanged();

private:
    evidence::TimeRange m_range;
    std::chrono::seconds m_span{86'400};
    bool m_live = true;
};

/// What a page is given. All outlive the pages.
struct PageContext {
    Bridge* bridge = nullptr;
    PolicyDocument* document = nullptr;
    ViewState* view = nullptr;
    GatewayControl* gateway = nullptr;
    /// The first steps of a newcomer; null: there are none.
    StartHere* start = nullptr;
    /// Where the user's signing keys live; empty when nobody could tell.
    std::filesystem::path keyFolder;
    /// Goes to a page by id with its arguments, e.g. ("history", {{"decision", "rtd_…"}}); part of the way back.
    std::function<void(const QString& pageId, const QVariantMap& arguments)> go;
    /// Fills the inspector with a widget (owned by the inspector from then on); null empties it.
    std::function<void(QWidget* content, const QString& title)> inspect;
    /// A short message in the status line, and for screen readers.
    std::function<void(const QString& text)> say;
    /// An error shown plainly, with its location and what to do.
    std::function<void(const Error& error)> complain;
};

/// One page of the console: the question it answers as title, one sentence that answers it now, and its content.
class Page : public QWidget {
    Q_OBJECT
public:
    explicit Page(PageContext context, QWidget* parent = nullptr) : QWidget(parent), m_context(std::move(context)) {}

    [[nodiscard]] virtual QString id() const = 0;        ///< `rules`; also the objectName
    [[nodiscard]] virtual QString name() const = 0;      ///< navigation label, tr()
    [[nodiscard]] virtual QString question() const = 0;  ///< page title, tr()
    [[nodiscard]] virtual QString iconName() const = 0;
    /// What of this page is of the time range at the top right: all of it, nothing, or a part, which has a name then.
    enum class RangeUse { page, part, none };
    [[nodiscard]] virtual RangeUse rangeUse() const { return RangeUse::page; }
    [[nodiscard]] virtual QString rangedPart() const { return {}; }
    /// Takes arguments of `go`; called before the page is shown.
    virtual void open(const QVariantMap& arguments) { Q_UNUSED(arguments) }
    /// What `open` would need to come back to this state.
    [[nodiscard]] virtual QVariantMap state() const { return {}; }
    /// Actions for the command palette and the page's own shortcuts.
    [[nodiscard]] virtual QList<QAction*> pageActions() const { return {}; }
    /// Things of this page that Ctrl+K finds: label, arguments for `open`.
    struct Findable {
        QString label;
        QString kind;
        QVariantMap arguments;
    };
    [[nodiscard]] virtual QList<Findable> findables() const { return {}; }

Q_SIGNALS:
    /// The sentence under the title changed.
    void answerChanged(const QString& sentence);

protected:
    PageContext m_context;
};

}  // namespace signalbox::ui
