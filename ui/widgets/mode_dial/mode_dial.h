// SPDX-License-Identifier: MIT
#pragma once

#include "router/config/edit.h"

#include <QWidget>

class QBoxLayout;
class QButtonGroup;
class QLabel;
class QSlider;
class QSpinBox;

namespace signalbox::ui {

class Bridge;
class GatewayControl;
class PolicyDocument;
class ToneLabel;

/// The mode of smart routing: off, shadow or active with a share of the requests. Turns the draft, shows the running mode
/// beside it with the way to make the draft run, and holds the kill switch, which acts on what runs at once.
class ModeDial : public QWidget {
    Q_OBJECT
public:
    ModeDial(Bridge* bridge, PolicyDocument* document, GatewayControl* gateway, QWidget* parent = nullptr);

protected:
    bool event(QEvent* event) override;
    /// Of two lines, so that nobody keeps the room of one for it.
    [[nodiscard]] QSize minimumSizeHint() const override;

Q_SIGNALS:
    /// The draft refused the new position.
    void refused(const signalbox::Error& error);

private:
    void makeLayout();
    void fitLine();
    void refresh();
    void refreshRunning();
    void set(const QString& label, const std::string& key, const config::Scalar& value);

    Bridge* m_bridge;
    PolicyDocument* m_document;
    GatewayControl* m_gateway;
    QButtonGroup* m_modes;
    QBoxLayout* m_line = nullptr;  ///< the dial and what acts on what runs, one below the other where there is no room
    QSlider* m_slider;
    QSpinBox* m_percent;
    QLabel* m_note;
    ToneLabel* m_override;
    ToneLabel* m_running;
};

}  // namespace signalbox::ui
