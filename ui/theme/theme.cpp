// SPDX-License-Identifier: MIT
#include "ui/theme/theme.h"

#include "ui/theme/colors.h"
#include "ui/theme/icons.h"
#include "ui/theme/style_sheet.h"

#include <QApplication>
#include <QFontDatabase>
#include <QStyleFactory>

namespace signalbox::ui {

static QString firstInstalled(std::initializer_list<QString> wanted, const QString& otherwise) {
    const QStringList families = QFontDatabase::families();
    for (const QString& family : wanted)
        if (families.contains(family)) return family;
    return otherwise;
}

Theme::Theme(QObject* parent) : QObject(parent) {
    const QPalette system = QGuiApplication::palette();
    m_systemScheme = system.color(QPalette::Window).lightness() < 128 ? Scheme::dark : Scheme::light;
    m_scheme = m_systemScheme;
    // Qt 6.4 cannot ask a font for tabular figures, so figures come from a family that always has them. Where the
    // desktop names no font of its own, the whole console uses that family.
    const QString desktop = QFontDatabase::systemFont(QFontDatabase::GeneralFont).family();
    const QString figures = firstInstalled({QStringLiteral("Roboto"), QStringLiteral("Noto Sans"), QStringLiteral("Open Sans"),
                                            QStringLiteral("DejaVu Sans")}, desktop);
    const bool desktopIsBare = desktop.isEmpty() || desktop.startsWith(QLatin1String("DejaVu")) ||
                               desktop.contains(QLatin1String("Sans Serif"), Qt::CaseInsensitive) ||
                               !QFontDatabase::families().contains(desktop);
    m_family = desktopIsBare ? figures : desktop;
    m_figureFamily = figures;
    m_fixedFamily = firstInstalled({QStringLiteral("JetBrains Mono"), QStringLiteral("Noto Sans Mono"),
                                    QStringLiteral("DejaVu Sans Mono")},
                                   QFontDatabase::systemFont(QFontDatabase::FixedFont).family());
}

Theme& Theme::instance() {
    auto* theme = qApp->findChild<Theme*>(QString(), Qt::FindDirectChildrenOnly);
    if (theme == nullptr) theme = new Theme(qApp);
    return *theme;
}

void Theme::setScheme(Scheme scheme) {
    if (m_scheme == scheme) return;
    m_scheme = scheme;
    apply();
}

void Theme::apply() {
    if (QApplication::style() == nullptr || QApplication::style()->name() != QLatin1String("fusion"))
        QApplication::setStyle(QStyleFactory::create(QStringLiteral("Fusion")));
    QApplication::setFont(font());
    QApplication::setPalette(palette(*this));
    qApp->setStyleSheet(styleSheet(*this));
    Q_EMIT changed();
}

QColor Theme::color(Surface surface) const { return colors::surface(surface).of(m_scheme); }
QColor Theme::color(Tone tone) const { return colors::tone(tone).of(m_scheme); }

QColor Theme::softColor(Tone tone) const {
    return colors::mix(color(Surface::panel), color(tone), m_scheme == Scheme::light ? 0.10 : 0.16);
}

QString Theme::glyph(Tone tone) const {
    switch (tone) {
    case Tone::clear: return QStringLiteral("●");
    case Tone::caution: return QStringLiteral("▲");
    case Tone::danger: return QStringLiteral("◆");
    case Tone::info: return QStringLiteral("■");
    case Tone::canary: return QStringLiteral("◐");
    case Tone::gap: return QStringLiteral("▨");
    case Tone::idle: return QStringLiteral("○");
    }
    return {};
}

QString Theme::word(Tone tone) const {
    switch (tone) {
    case Tone::clear: return tr("clear");
    case Tone::caution: return tr("caution");
    case Tone::danger: return tr("danger");
    case Tone::info: return tr("info");
    case Tone::canary: return tr("canary");
    case Tone::gap: return tr("gap");
    case Tone::idle: return tr("idle");
    }
    return {};
}

// FNV-1a: qHash is seeded per run, and an entity keeps its colour from run to run.
static quint32 stableHash(const QString& text) {
    quint32 hash = 2166136261U;
    for (const char byte : text.toUtf8()) hash = (hash ^ static_cast<unsigned char>(byte)) * 16777619U;
    return hash;
}

void Theme::knowSeries(QStringList entities) {
    entities.sort();
    entities.removeDuplicates();
    const int count = static_cast<int>(colors::series().size());
    QList<int> uses(count, 0);
    QHash<QString, int> slotsOfAll;
    for (const QString& entity : std::as_const(entities)) {
        int slot = static_cast<int>(stableHash(entity) % static_cast<quint32>(count));
        const int least = *std::min_element(uses.cbegin(), uses.cend());
        while (uses.at(slot) > least) slot = (slot + 1) % count;
        ++uses[slot];
        slotsOfAll.insert(entity, slot);
    }
    if (slotsOfAll == m_seriesSlots) return;
    m_seriesSlots = std::move(slotsOfAll);
    // A new entity may move others on, and what is drawn already must not differ from what is drawn next.
    Q_EMIT changed();
}

QColor Theme::seriesColor(const QString& entity) const {
    if (entity.isEmpty()) return color(Tone::idle);
    const auto series = colors::series();
    const auto known = m_seriesSlots.constFind(entity);
    const auto slot = known != m_seriesSlots.constEnd() ? static_cast<std::size_t>(*known) : stableHash(entity) % series.size();
    return series[slot].of(m_scheme);
}

static QFont sized(const QString& family, qreal points, QFont::Weight weight = QFont::Normal) {
    QFont font(family);
    font.setPointSizeF(points);
    font.setWeight(weight);
    return font;
}

QFont Theme::font() const { return sized(m_family, 10); }
QFont Theme::titleFont() const { return sized(m_family, 15, QFont::Medium); }
QFont Theme::smallFont() const { return sized(m_family, 8.75); }
QFont Theme::numberFont() const { return sized(m_figureFamily, 10); }

QFont Theme::fixedFont() const {
    QFont font = sized(m_fixedFamily, 9);
    font.setStyleHint(QFont::Monospace);
    return font;
}

QIcon Theme::icon(const QString& name) const { return icon(name, color(Surface::text)); }

QIcon Theme::icon(const QString& name, const QColor& color) const {
    return loadIcon(name, color, colors::mix(this->color(Surface::panel), this->color(Surface::textMuted), 0.6));
}

}  // namespace signalbox::ui
