// SPDX-License-Identifier: MIT
#pragma once

#include <QMetaType>
#include <QtCore/qnamespace.h>

namespace signalbox::ui {

/// How a cell is set: its font, side and elision.
enum class CellKind { text, muted, number, id };

/// What our models say beside Qt's own roles; delegates know these numbers and no model type.
enum ItemRole {
    SortRole = Qt::UserRole + 1,  ///< raw value; sort and filter by it, never by the shown text
    CellKindRole,                 ///< CellKind
    ToneRole,                     ///< int of Tone: its glyph stands before the text
    SwatchRole,                   ///< QString entity: a square of its series colour stands before the text
    ShareRole,                    ///< double 0..1: a quiet bar along the bottom of the cell
    ColumnWidthRole,              ///< of headers: first width in pixels
    FirstOwnRole,                 ///< a model's own roles start here
};

}  // namespace signalbox::ui

Q_DECLARE_METATYPE(signalbox::ui::CellKind)
