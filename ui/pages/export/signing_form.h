// SPDX-License-Identifier: MIT
#pragma once

#include "router/signing/key_pairs.h"

#include <QPointer>
#include <QWidget>

#include <optional>
#include <vector>

class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;
class QProgressBar;
class QPushButton;

namespace signalbox::ui {

class NewKeyForm;

/// Where to, with which key, in whose name.
class SigningForm : public QWidget {
    Q_OBJECT
public:
    explicit SigningForm(QWidget* parent = nullptr);

    /// Keys without their secret half are left out: they cannot sign.
    void setKeys(const signing::KeyList& keys, const std::filesystem::path& keyFolder);
    void selectKey(const std::filesystem::path& secretFile);
    /// What is being done meanwhile; empty when nothing is.
    void setBusy(const QString& what);
    /// Offers to replace the table that stands in the folder.
    void offerReplace(bool offer);
    void clearPassword();
    void closeNewKey();
    void setReady(bool ready);

    [[nodiscard]] QString folder() const;
    [[nodiscard]] QString signer() const;
    [[nodiscard]] QString password() const;
    [[nodiscard]] bool replace() const;
    [[nodiscard]] std::optional<signing::ListedKey> key() const;

Q_SIGNALS:
    void exportWanted();
    /// While it is busy.
    void cancelWanted();
    void newKeyWanted(const QString& name, const QString& password);

private:
    void makeLayout();
    void chooseFolder();
    void openNewKey();
    void judge();
    [[nodiscard]] QString missing() const;

    std::vector<signing::ListedKey> m_keys;
    QLineEdit* m_folder;
    QPushButton* m_choose;
    QCheckBox* m_replace;
    QComboBox* m_key;
    QLabel* m_keyNote;
    QPushButton* m_newKey;
    NewKeyForm* m_newKeyForm;
    QLabel* m_passwordLabel;
    QLineEdit* m_password;
    QLineEdit* m_signer;
    QPushButton* m_export;
    QLabel* m_remark;
    QProgressBar* m_progress;
    QPushButton* m_cancel;
    QPointer<QWidget> m_focusedBefore;  ///< before the form became busy
    bool m_ready = false;
    bool m_busy = false;
};

}  // namespace signalbox::ui
