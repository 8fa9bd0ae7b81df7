// SPDX-License-Identifier: MIT
#include "ui/settings/settings.h"

#include <QFileInfo>

namespace signalbox::ui {

static const QString kVersionKey = QStringLiteral("version");
static const QString kThemeKey = QStringLiteral("look/theme");
static const QString kRecentKey = QStringLiteral("workspaces/recent");
static const QString kGeometryKey = QStringLiteral("window/geometry");
static const QString kSplitterKey = QStringLiteral("window/splitter");
static const QString kInspectorKey = QStringLiteral("window/inspector");
static const QString kPageKey = QStringLiteral("window/page");

static const QString kStartShownKey = QStringLiteral("start/shown");
static const QString kStartDoneKey = QStringLiteral("start/done");
static const QString kTargetsKey = QStringLiteral("targets");

Settings::Settings() : m_settings(QSettings::IniFormat, QSettings::UserScope, QStringLiteral("signalbox"), QStringLiteral("console")) {
    migrate();
}

Settings::Settings(const QString& file) : m_settings(file, QSettings::IniFormat) { migrate(); }

void Settings::migrate() {
    const int version = m_settings.value(kVersionKey, 0).toInt();
    if (version >= kVersion) return;
    // Version 0 was written by the first builds, which kept the theme as a boolean.
    if (const QVariant dark = m_settings.value(QStringLiteral("dark")); dark.isValid()) {
        setTheme(dark.toBool() ? ThemeChoice::dark : ThemeChoice::light);
        m_settings.remove(QStringLiteral("dark"));
    }
    m_settings.setValue(kVersionKey, kVersion);
}

ThemeChoice Settings::theme() const {
    const QString word = m_settings.value(kThemeKey).toString();
    if (word == QLatin1String("light")) return ThemeChoice::light;
    if (word == QLatin1String("dark")) return ThemeChoice::dark;
    return ThemeChoice::system;
}

void Settings::setTheme(ThemeChoice choice) {
    switch (choice) {
    case ThemeChoice::system: m_settings.setValue(kThemeKey, QStringLiteral("system")); break;
    case ThemeChoice::light: m_settings.setValue(kThemeKey, QStringLiteral("light")); break;
    case ThemeChoice::dark: m_settings.setValue(kThemeKey, QStringLiteral("dark")); break;
    }
}

QStringList Settings::recentWorkspaces() const {
    QStringList existing;
    for (const QString& path : m_settings.value(kRecentKey).toStringList())
        if (QFileInfo::exists(path)) existing << path;
    return existing;
}

void Settings::addRecentWorkspace(const QString& path) {
    QStringList recent = m_settings.value(kRecentKey).toStringList();
    recent.removeAll(path);
    recent.prepend(path);
    m_settings.setValue(kRecentKey, QStringList(recent.mid(0, kRecentLimit)));
}

QByteArray Settings::windowGeometry() const { return m_settings.value(kGeometryKey).toByteArray(); }
QByteArray Settings::splitterState() const { return m_settings.value(kSplitterKey).toByteArray(); }

void Settings::setWindow(const QByteArray& geometry, const QByteArray& splitter) {
    m_settings.setValue(kGeometryKey, geometry);
    m_settings.setValue(kSplitterKey, splitter);
}

bool Settings::inspectorVisible() const { return m_settings.value(kInspectorKey, false).toBool(); }
void Settings::setInspectorVisible(bool visible) { m_settings.setValue(kInspectorKey, visible); }
QString Settings::lastPage() const { return m_settings.value(kPageKey).toString(); }
void Settings::setLastPage(const QString& id) { m_settings.setValue(kPageKey, id); }

bool Settings::startShown() const { return m_settings.value(kStartShownKey, !m_settings.contains(kPageKey)).toBool(); }
void Settings::setStartShown(bool shown) { m_settings.setValue(kStartShownKey, shown); }
QStringList Settings::startDone() const { return m_settings.value(kStartDoneKey).toStringList(); }
void Settings::setStartDone(const QStringList& steps) { m_settings.setValue(kStartDoneKey, steps); }

QList<NamedTarget> Settings::targets() const {
    auto& settings = m_settings;
    QList<NamedTarget> targets;
    const int count = settings.beginReadArray(kTargetsKey);
    for (int i = 0; i < count; ++i) {
        settings.setArrayIndex(i);
        const auto value = [&settings](const char* key) { return settings.value(QString::fromLatin1(key)).toString(); };
        const NamedTarget target{value("name"), value("url"), value("token_variable"), value("ca_file")};
        if (!target.name.isEmpty() && !target.url.isEmpty()) targets << target;
    }
    settings.endArray();
    return targets;
}

void Settings::setTargets(const QList<NamedTarget>& targets) {
    m_settings.remove(kTargetsKey);
    m_settings.beginWriteArray(kTargetsKey, static_cast<int>(targets.size()));
    for (int i = 0; i < targets.size(); ++i) {
        m_settings.setArrayIndex(i);
        m_settings.setValue(QStringLiteral("name"), targets.at(i).name);
        m_settings.setValue(QStringLiteral("url"), targets.at(i).url);
        m_settings.setValue(QStringLiteral("token_variable"), targets.at(i).tokenVariable);
        m_settings.setValue(QStringLiteral("ca_file"), targets.at(i).caFile);
    }
    m_settings.endArray();
}

}  // namespace signalbox::ui
