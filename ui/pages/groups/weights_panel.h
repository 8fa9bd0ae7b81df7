// SPDX-License-Identifier: MIT
#pragma once

#include "router/config/types.h"
#include "router/policy/smart/profile.h"

#include <QWidget>

#include <array>
#include <optional>
#include <string>

class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QLineEdit;
class QPushButton;

namespace signalbox::ui {

class FieldMessage;
class PolicyDocument;
class WeightsBar;

/// The weights of the policy version by profile: a bar of four parts that total 100 %. The built-in version is read-only
/// and says so; "make an own version" copies it under a name, whose weights can then be changed.
class WeightsPanel : public QWidget {
    Q_OBJECT
public:
    explicit WeightsPanel(PolicyDocument* document, QWidget* parent = nullptr);
    /// `profile`: the one that the chosen group uses; shown unless the user looks at another.
    void set(const config::Routing& routing, policy::smart::Profile profile);
    [[nodiscard]] WeightsBar* bar() const { return m_bar; }

private:
    void makeLayout();
    QWidget* makeEditor();
    QWidget* makeOffer();
    void render();
    void write(std::size_t changed, double value);
    void makeOwn();
    [[nodiscard]] policy::smart::Profile shownProfile() const;
    [[nodiscard]] const config::NamedPolicy* named() const;
    /// As written for the shown profile, the built-in ones where the version names none.
    [[nodiscard]] std::array<double, 4> written() const;

    PolicyDocument* m_document;
    config::Routing m_routing;
    std::optional<policy::smart::Profile> m_groupProfile;
    QComboBox* m_version;
    QComboBox* m_profile;
    WeightsBar* m_bar;
    QLabel* m_note;
    // Made by `makeOffer` and `makeEditor`, so they stand before what these return.
    QLineEdit* m_name = nullptr;
    QPushButton* m_make = nullptr;
    FieldMessage* m_nameMessage = nullptr;
    std::array<QDoubleSpinBox*, 4> m_parts{};
    FieldMessage* m_partsMessage = nullptr;
    QWidget* m_offer;
    QWidget* m_editor;
};

}  // namespace signalbox::ui
