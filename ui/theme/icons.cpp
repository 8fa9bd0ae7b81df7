// SPDX-License-Identifier: MIT
#include "ui/theme/icons.h"

#include <QFile>
#include <QPainter>
#include <QPixmap>
#include <QSvgRenderer>

// The macro must stand outside any namespace.
static void loadIconResources() { Q_INIT_RESOURCE(icons); }

namespace signalbox::ui {

static QPixmap render(const QByteArray& svg, const QColor& color, int size) {
    QByteArray tinted = svg;
    tinted.replace(QByteArrayLiteral("currentColor"), color.name().toLatin1());
    QSvgRenderer renderer(tinted);
    QPixmap pixmap(size, size);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    painter.setRenderHint(QPainter::Antialiasing);
    renderer.render(&painter);
    return pixmap;
}

QIcon loadIcon(const QString& name, const QColor& color, const QColor& disabled) {
    loadIconResources();
    QFile file(QStringLiteral(":/icons/") + name + QStringLiteral(".svg"));
    if (!file.open(QIODevice::ReadOnly)) return {};
    const QByteArray svg = file.readAll();
    QIcon icon;
    // The doubles serve screens with a device pixel ratio of 2.
    for (const int size : {16, 18, 20, 24, 32, 48, 64}) {
        icon.addPixmap(render(svg, color, size), QIcon::Normal);
        icon.addPixmap(render(svg, disabled, size), QIcon::Disabled);
    }
    return icon;
}

}  // namespace signalbox::ui
