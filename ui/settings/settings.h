// SPDX-License-Identifier: MIT
#pragma once

#include <QByteArray>
#include <QList>
#include <QSettings>
#include <QString>
#include <QStringList>

namespace signalbox::ui {

enum class ThemeChoice { system, light, dark };

/// A gateway elsewhere that the console may look at. Never its token: that is in the keyring, or in a variable.
struct NamedTarget {
    QString name;
    QString url;            ///< of its admin API
    QString tokenVariable;  ///< environment variable that holds the admin token; empty: the keyring does
    QString caFile;         ///< PEM with the certificates to trust; empty: the system's
    bool operator==(const NamedTarget&) const = default;
};

/// What the console remembers of its user. Versioned: a file of an older version is brought up to date when opened, one
/// of a newer version is read as far as it is understood and keeps what is not.
class Settings {
public:
    static constexpr int kVersion = 1;
    static constexpr int kRecentLimit = 10;

    /// The user's own settings file.
    Settings();
    /// Another file (INI), for tests and portable installations.
    explicit Settings(const QString& file);

    [[nodiscard]] ThemeChoice theme() const;
    void setTheme(ThemeChoice choice);

    /// Newest first; what no longer exists is left out.
    [[nodiscard]] QStringList recentWorkspaces() const;
    void addRecentWorkspace(const QString& path);

    [[nodiscard]] QByteArray windowGeometry() const;
    [[nodiscard]] QByteArray splitterState() const;
    void setWindow(const QByteArray& geometry, const QByteArray& splitter);

    [[nodiscard]] bool inspectorVisible() const;
    void setInspectorVisible(bool visible);
    [[nodiscard]] QString lastPage() const;
    void setLastPage(const QString& id);

    /// The first steps on the Overview: shown to whoever has never closed a console before, until they are put away.
    [[nodiscard]] bool startShown() const;
    void setStartShown(bool shown);
    /// Names of the steps that were taken.
    [[nodiscard]] QStringList startDone() const;
    void setStartDone(const QStringList& steps);

    /// In the order in which they were added.
    [[nodiscard]] QList<NamedTarget> targets() const;
    void setTargets(const QList<NamedTarget>& targets);

private:
    void migrate();
    mutable QSettings m_settings;  ///< reading a list moves through it
};

}  // namespace signalbox::ui
