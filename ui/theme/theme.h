// SPDX-License-Identifier: MIT
#pragma once

#include <QColor>
#include <QFont>
#include <QHash>
#include <QIcon>
#include <QObject>
#include <QPalette>
#include <QString>
#include <QStringList>

namespace signalbox::ui {

/// Meanings, not colours. Each has a light and a dark side and a glyph, because colour never stands alone.
enum class Tone { clear, caution, danger, info, canary, gap, idle };
enum class Scheme { light, dark };

/// Surfaces and text, from which widgets paint.
enum class Surface { window, panel, raised, hairline, text, textMuted, textOnAccent, accent, accentSoft, selection, hover };

/// The one source of colours, fonts, spacing and icons. One per application, on the GUI thread; widgets take it from
/// `Theme::instance()` and repaint on `changed`.
class Theme : public QObject {
    Q_OBJECT
public:
    explicit Theme(QObject* parent = nullptr);

    /// The application's theme (a child of qApp). Created on first use.
    [[nodiscard]] static Theme& instance();

    [[nodiscard]] Scheme scheme() const { return m_scheme; }
    void setScheme(Scheme scheme);
    /// What the desktop used when the program started (Qt 6.4 cannot tell of later changes).
    [[nodiscard]] Scheme systemScheme() const { return m_systemScheme; }
    /// Sets Fusion, palette, fonts and the application style sheet.
    void apply();

    [[nodiscard]] QColor color(Surface surface) const;
    [[nodiscard]] QColor color(Tone tone) const;
    /// A quiet fill behind text of that tone.
    [[nodiscard]] QColor softColor(Tone tone) const;
    [[nodiscard]] QString glyph(Tone tone) const;
    [[nodiscard]] QString word(Tone tone) const;
    /// Colour-blind safe; the same entity (preset, endpoint) has the same colour on every page and in every run.
    [[nodiscard]] QColor seriesColor(const QString& entity) const;
    /// Names the entities that may be drawn together, so that no two of them share a colour while colours last.
    /// The order of `entities` does not matter.
    void knowSeries(QStringList entities);

    [[nodiscard]] QFont font() const;
    [[nodiscard]] QFont titleFont() const;   ///< the question on top of a page
    [[nodiscard]] QFont smallFont() const;
    [[nodiscard]] QFont numberFont() const;  ///< tabular figures
    [[nodiscard]] QFont fixedFont() const;   ///< ids, JSON, keys

    /// An SVG of resources/icons recoloured for the scheme.
    [[nodiscard]] QIcon icon(const QString& name) const;
    [[nodiscard]] QIcon icon(const QString& name, const QColor& color) const;

    /// 4 px grid.
    static constexpr int kGap = 8, kGapWide = 12, kMargin = 16, kSection = 24;

Q_SIGNALS:
    void changed();

private:
    Scheme m_scheme = Scheme::light;
    Scheme m_systemScheme = Scheme::light;
    QString m_family, m_figureFamily, m_fixedFamily;
    QHash<QString, int> m_seriesSlots;
};

}  // namespace signalbox::ui
