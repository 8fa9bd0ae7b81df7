// SPDX-License-Identifier: MIT
#include "ui/pages/access/field_input.h"

#include "ui/theme/format.h"
#include "ui/widgets/basics.h"
#include "ui/widgets/forms/form_field.h"
#include "ui/widgets/forms/wheel_guard.h"

#include <QComboBox>
#include <QEvent>
#include <QLineEdit>
#include <QLocale>
#include <QPlainTextEdit>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace signalbox::ui {
namespace {

constexpr int kLinesShown = 4;

QVBoxLayout* bareLayout(QWidget* widget) {
    auto* layout = new QVBoxLayout(widget);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(Theme::kGap / 2);
    return layout;
}

Result<FieldValue> refuse(const QString& message, const QString& hint) {
    return fail(ErrorKind::badInput, format::utf8(message), {}, format::utf8(hint));
}

QComboBox* makeBox() {
    auto* box = new QComboBox;
    box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    guardFromWheel({box});
    return box;
}

/// Text, integers and decimal numbers on one line. Numbers are written as the file writes them.
class LineInput final : public FieldInput {
public:
    explicit LineInput(const FieldSpec& spec) : m_kind(spec.kind), m_line(new QLineEdit) {
        m_line->setPlaceholderText(spec.whenUnset);
        if (m_kind == FieldKind::id) m_line->setFont(Theme::instance().fixedFont());
        bareLayout(this)->addWidget(m_line);
        connect(m_line, &QLineEdit::editingFinished, this, [this] {
            if (m_line->isModified()) Q_EMIT edited();
        });
    }

    bool display(const FieldValue& value) override {
        const QString text = value ? textOf(*value) : QString();
        m_line->setText(text);
        m_line->setModified(false);
        m_line->setCursorPosition(0);
        return fitsALine(text) && m_line->text() == text;
    }

    Result<FieldValue> value() const override {
        const QString text = m_line->text();
        if (m_kind == FieldKind::text || m_kind == FieldKind::id)
            return text.isEmpty() ? FieldValue() : FieldValue(format::utf8(text));
        const QString digits = text.trimmed();
        if (digits.isEmpty()) return FieldValue();
        bool fine = false;
        if (m_kind == FieldKind::integer) {
            const qlonglong whole = QLocale::c().toLongLong(digits, &fine);
            if (!fine) return refuse(tr("This is no whole number"), tr("Write digits only, such as 600."));
            return FieldValue(static_cast<std::int64_t>(whole));
        }
        const double number = QLocale::c().toDouble(digits, &fine);
        if (!fine || !std::isfinite(number)) return refuse(tr("This is no number"), tr("Write it with a point, such as 0.28."));
        return FieldValue(number);
    }

    QWidget* control() const override { return m_line; }
    void setReadOnly(bool readOnly) override { m_line->setReadOnly(readOnly); }

private:
    static QString textOf(const config::Scalar& value) {
        if (const auto* text = std::get_if<std::string>(&value)) return format::text(*text);
        if (const auto* whole = std::get_if<std::int64_t>(&value)) return QString::number(*whole);
        if (const auto* number = std::get_if<double>(&value)) return QLocale::c().toString(*number, 'g', QLocale::FloatingPointShortest);
        return {};
    }

    FieldKind m_kind;
    QLineEdit* m_line;
};

/// One of a few words, or nothing written.
class ChoiceInput final : public FieldInput {
public:
    explicit ChoiceInput(const FieldSpec& spec) : m_choices(spec.choices), m_box(makeBox()) {
        m_box->addItem(spec.whenUnset);
        for (const auto& [value, words] : m_choices) m_box->addItem(words);
        bareLayout(this)->addWidget(m_box);
        connect(m_box, &QComboBox::activated, this, &FieldInput::edited);
    }

    bool display(const FieldValue& value) override {
        const auto at = std::find_if(m_choices.begin(), m_choices.end(), [&](const auto& choice) { return value && choice.first == *value; });
        m_box->setCurrentIndex(value ? static_cast<int>(at - m_choices.begin()) + 1 : 0);
        return !value || at != m_choices.end();
    }

    Result<FieldValue> value() const override {
        const int index = m_box->currentIndex();
        return index <= 0 ? FieldValue() : FieldValue(m_choices[static_cast<std::size_t>(index) - 1].first);
    }

    QWidget* control() const override { return m_box; }
    void setReadOnly(bool readOnly) override { m_box->setEnabled(!readOnly); }

private:
    std::vector<std::pair<config::Scalar, QString>> m_choices;
    QComboBox* m_box;
};

/// A list, one name a line, beside "nothing is written": an empty list is an empty list, not unset (F83).
class ListInput final : public FieldInput {
public:
    explicit ListInput(const FieldSpec& spec) : m_box(makeBox()), m_lines(new QPlainTextEdit) {
        m_box->addItem(spec.whenUnset);
        m_box->addItem(tr("Only these, one a line"));
        m_box->setAccessibleName(tr("%1: restricted or not").arg(spec.name));
        m_lines->setFont(Theme::instance().fixedFont());
        m_lines->setLineWrapMode(QPlainTextEdit::NoWrap);
        m_lines->setTabChangesFocus(true);
        m_lines->setFixedHeight(m_lines->fontMetrics().lineSpacing() * kLinesShown + 18);
        m_lines->setPlaceholderText(tr("None: nothing at all"));
        m_lines->setVisible(false);
        m_lines->installEventFilter(this);
        auto* layout = bareLayout(this);
        layout->addWidget(m_box);
        layout->addWidget(m_lines);
        connect(m_box, &QComboBox::activated, this, &ListInput::choose);
    }

    bool display(const FieldValue& value) override {
        QStringList names;
        bool whole = true;
        if (value)
            for (const std::string& name : std::get<std::vector<std::string>>(*value)) {
                names << format::text(name);
                whole = whole && !names.back().trimmed().isEmpty() && names.back().trimmed() == names.back() && fitsALine(names.back());
            }
        m_box->setCurrentIndex(value ? 1 : 0);
        m_lines->setPlainText(names.join(QLatin1Char('\n')));
        m_lines->document()->setModified(false);
        m_lines->setVisible(value.has_value());
        return whole;
    }

    Result<FieldValue> value() const override {
        if (m_box->currentIndex() == 0) return FieldValue();
        std::vector<std::string> names;
        for (const QString& line : m_lines->toPlainText().split(QLatin1Char('\n')))
            if (const QString name = line.trimmed(); !name.isEmpty()) names.push_back(format::utf8(name));
        return FieldValue(std::move(names));
    }

    QWidget* control() const override { return m_lines; }
    void setReadOnly(bool readOnly) override {
        m_box->setEnabled(!readOnly);
        m_lines->setReadOnly(readOnly);
    }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override {
        // Whoever chose "only these" means it, even when the list stays empty.
        if (watched == m_lines && event->type() == QEvent::FocusOut && (m_lines->document()->isModified() || m_justChosen)) {
            m_justChosen = false;
            m_lines->document()->setModified(false);
            Q_EMIT edited();
        }
        return FieldInput::eventFilter(watched, event);
    }

private:
    void choose(int index) {
        m_lines->setVisible(index == 1);
        m_justChosen = index == 1;
        if (index == 1) m_lines->setFocus(Qt::TabFocusReason);
        else Q_EMIT edited();
    }

    QComboBox* m_box;
    QPlainTextEdit* m_lines;
    bool m_justChosen = false;
};

}  // namespace

FieldInput* makeFieldInput(const FieldSpec& spec) {
    switch (spec.kind) {
    case FieldKind::choice: return new ChoiceInput(spec);
    case FieldKind::list: return new ListInput(spec);
    case FieldKind::text:
    case FieldKind::id:
    case FieldKind::integer:
    case FieldKind::number: break;
    }
    return new LineInput(spec);
}

}  // namespace signalbox::ui
