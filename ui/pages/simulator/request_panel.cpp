// SPDX-License-Identifier: MIT
#include "ui/pages/simulator/request_panel.h"

#include "ui/models/group_words.h"
#include "ui/models/record_words.h"
#include "ui/pages/simulator/form_rows.h"
#include "ui/theme/format.h"
#include "ui/widgets/basics.h"
#include "ui/widgets/forms/field_message.h"
#include "ui/widgets/section.h"

#include <QAbstractItemView>
#include <QCheckBox>
#include <QComboBox>
#include <QCompleter>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QSpinBox>
#include <QStackedWidget>
#include <QTabBar>
#include <QVBoxLayout>

namespace signalbox::ui {

static constexpr int kMostTokens = 10'000'000, kMostInFlight = 100'000, kMostTools = 128, kBodyHeight = 190;

RequestPanel::RequestPanel(QWidget* parent)
    : QWidget(parent), m_tabs(new QTabBar), m_sources(new QStackedWidget), m_model(new QComboBox), m_kind(new QComboBox), m_cap(new QSpinBox),
      m_length(new QComboBox), m_tools(new QSpinBox), m_parallel(new QCheckBox(tr("parallel calls"))), m_vision(new QCheckBox(tr("an image"))),
      m_input(new QSpinBox), m_inFlight(new QSpinBox), m_kindNote(makeMuted({})), m_dialect(new QComboBox), m_body(new QPlainTextEdit), m_bodyProblem(new FieldMessage(m_body)),
      m_decision(new QLineEdit), m_recent(new QComboBox), m_recorded(makeMuted({})), m_profile(new QComboBox), m_principal(new QComboBox),
      m_session(new QLineEdit), m_requestId(new QLineEdit) {
    m_tabs->setAccessibleName(tr("Where the request comes from"));
    m_tabs->setDrawBase(false);
    m_tabs->setExpanding(false);
    for (const QString& name : {tr("Form"), tr("JSON body"), tr("History")}) m_tabs->addTab(name);
    for (QWidget* page : {makeForm(), makeBody(), makeHistory()}) m_sources->addWidget(page);
    auto* request = new Section(tr("Request"));
    request->body()->setContentsMargins(0, 0, 0, 0);
    request->body()->addWidget(m_tabs);
    request->body()->addWidget(m_sources);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(Theme::kMargin);
    layout->addWidget(request);
    layout->addWidget(makeSender());

    connect(m_tabs, &QTabBar::currentChanged, this, [this](int index) {
        // Only the page in view asks for room.
        for (int i = 0; i < m_sources->count(); ++i)
            m_sources->widget(i)->setSizePolicy(QSizePolicy::Preferred, i == index ? QSizePolicy::Preferred : QSizePolicy::Ignored);
        m_sources->setCurrentIndex(index);
        Q_EMIT changed();
    });
    Q_EMIT m_tabs->currentChanged(0);
    showKind();
}

// Children that die say so, when this is no panel any more.
RequestPanel::~RequestPanel() {
    for (QObject* child : findChildren<QObject*>()) child->disconnect(this);
}

QWidget* RequestPanel::makeForm() {
    m_model->setEditable(true);
    m_model->setInsertPolicy(QComboBox::NoInsert);
    m_model->setObjectName(QStringLiteral("model"));
    m_model->completer()->setFilterMode(Qt::MatchContains);
    m_model->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_kind->setObjectName(QStringLiteral("kind"));
    m_kind->addItems({tr("free chat"), tr("code"), tr("structured answer"), tr("tool call"), tr("summary of a long text")});
    setUpNumber(m_cap, -1, kMostTokens, -1, tr("none"), tr(" tokens"));
    m_cap->setObjectName(QStringLiteral("outputLimit"));
    m_length->setObjectName(QStringLiteral("length"));
    m_length->addItem(tr("by the limit"), QString());
    for (const char* word : {"short", "medium", "long"}) m_length->addItem(tr("hint: %1").arg(QLatin1String(word)), QString::fromLatin1(word));
    setUpNumber(m_tools, 1, kMostTools, 1, {}, {});
    setUpNumber(m_input, 0, kMostTokens, 1'000, {}, tr(" tokens"));
    m_input->setSingleStep(500);
    setUpNumber(m_inFlight, 0, kMostInFlight, 1, tr("unknown"), {});
    m_inFlight->setObjectName(QStringLiteral("inFlight"));
    m_inFlight->setToolTip(tr("Requests of the family that run at this moment, this one included: 2 or more count as many at once"));

    FormRows rows;
    rows.add(tr("Model"), m_model);
    rows.add(tr("Kind"), m_kind);
    rows.add(tr("Output limit"), m_cap);
    rows.add(tr("Length"), m_length);
    rows.add(tr("Input"), m_input);
    rows.add(tr("In flight"), m_inFlight);
    rows.add(tr("Tools"), m_tools);
    rows.add(QString(), m_parallel);
    rows.add(tr("Shows"), m_vision);
    rows.addWide(m_kindNote);
    for (QSpinBox* box : {m_cap, m_tools, m_input, m_inFlight}) connect(box, &QSpinBox::valueChanged, this, &RequestPanel::changed);
    for (QCheckBox* box : {m_parallel, m_vision}) connect(box, &QCheckBox::toggled, this, &RequestPanel::changed);
    connect(m_model, &QComboBox::currentTextChanged, this, &RequestPanel::changed);
    connect(m_length, &QComboBox::currentIndexChanged, this, &RequestPanel::changed);
    connect(m_kind, &QComboBox::currentIndexChanged, this, [this] {
        showKind();
        Q_EMIT changed();
    });
    return rows.widget();
}

void RequestPanel::showKind() {
    const auto kind = fields().kind;
    m_tools->setEnabled(kind == FormFields::Kind::toolCall);
    m_parallel->setEnabled(kind == FormFields::Kind::toolCall);
    m_kindNote->setText(kind == FormFields::Kind::summary ? tr("Counts as a summary while the input is more than twice the output limit.") : QString());
    m_kindNote->setVisible(kind == FormFields::Kind::summary);
}

QWidget* RequestPanel::makeBody() {
    m_body->setObjectName(QStringLiteral("body"));
    m_body->setAccessibleName(tr("Body of the request"));
    m_body->setPlaceholderText(QStringLiteral("{\"model\": \"auto\",\n \"max_tokens\": 256,\n \"messages\": [{\"role\": \"user\", \"content\": \"…\"}]}"));
    m_body->setFont(Theme::instance().fixedFont());
    m_body->setFixedHeight(kBodyHeight);
    m_body->setTabChangesFocus(true);
    m_bodyProblem->setObjectName(QStringLiteral("bodyProblem"));
    m_dialect->setObjectName(QStringLiteral("dialect"));
    m_dialect->setToolTip(tr("What the request asks for can depend on it: some fields exist in one API only, and not every provider can carry them."));
    m_dialect->addItem(tr("OpenAI chat completions"), static_cast<int>(classify::Dialect::openai));
    m_dialect->addItem(tr("Anthropic messages"), static_cast<int>(classify::Dialect::anthropic));
    m_dialect->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    connect(m_dialect, &QComboBox::currentIndexChanged, this, &RequestPanel::changed);
    FormRows api;
    api.add(tr("Sent to"), m_dialect);
    auto* page = new QWidget;
    auto* layout = new QVBoxLayout(page);
    layout->setContentsMargins(0, Theme::kGap, 0, 0);
    layout->addWidget(api.widget());
    layout->addWidget(m_body);
    layout->addWidget(m_bodyProblem);
    layout->addWidget(makeMuted(tr("Read as the gateway reads it, kept nowhere. Hints may stand in its metadata. In flight is taken from the form.")));
    connect(m_body, &QPlainTextEdit::textChanged, this, &RequestPanel::changed);
    return page;
}

QWidget* RequestPanel::makeHistory() {
    m_decision->setObjectName(QStringLiteral("decision"));
    m_decision->setPlaceholderText(QStringLiteral("rtd_…"));
    m_recent->setObjectName(QStringLiteral("recent"));
    m_recent->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_recorded->setObjectName(QStringLiteral("recorded"));
    FormRows rows;
    rows.add(tr("Decision"), m_decision);
    rows.add(tr("Or recent"), m_recent);
    rows.addWide(m_recorded);
    rows.addWide(makeMuted(tr("Only features are known of it: content is never kept, and neither is its session.")));
    connect(m_decision, &QLineEdit::editingFinished, this, [this] {
        if (!m_decision->text().trimmed().isEmpty()) Q_EMIT decisionWanted(m_decision->text().trimmed());
    });
    connect(m_recent, &QComboBox::activated, this, [this](int index) {
        const QString id = m_recent->itemData(index).toString();
        if (id.isEmpty()) return;
        m_decision->setText(id);
        Q_EMIT decisionWanted(id);
    });
    return rows.widget();
}

QWidget* RequestPanel::makeSender() {
    m_profile->setObjectName(QStringLiteral("profile"));
    m_profile->addItem(tr("as configured"), QString());
    for (const auto profile : policy::smart::kProfiles) {
        const QString word = format::text(toString(profile));
        m_profile->addItem(words::profile(toString(profile)), word);
    }
    m_principal->setObjectName(QStringLiteral("principal"));
    m_principal->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_session->setObjectName(QStringLiteral("session"));
    m_session->setPlaceholderText(tr("none"));
    m_session->setMaxLength(128);
    m_session->setToolTip(tr("Hashed with the principal at once. Decides affinity and the canary bucket."));
    m_requestId->setObjectName(QStringLiteral("requestId"));
    m_requestId->setPlaceholderText(tr("none"));
    m_requestId->setMaxLength(128);
    m_requestId->setToolTip(tr("Decides the canary bucket where there is no session."));
    auto* section = new Section(tr("Who asks"));
    section->body()->setContentsMargins(0, 0, 0, 0);
    FormRows rows;
    rows.add(tr("Principal"), m_principal);
    rows.add(tr("Profile"), m_profile);
    rows.add(tr("Session"), m_session);
    rows.add(tr("Request id"), m_requestId);
    section->body()->addWidget(rows.widget());
    for (QComboBox* box : {m_profile, m_principal}) connect(box, &QComboBox::currentIndexChanged, this, &RequestPanel::changed);
    for (QLineEdit* line : {m_session, m_requestId}) connect(line, &QLineEdit::textChanged, this, &RequestPanel::changed);
    return section;
}

void RequestPanel::setModels(const QStringList& models, const QString& first) {
    const QString typed = m_model->currentText();
    const QSignalBlocker quiet(m_model);
    m_model->clear();
    m_model->addItems(models);
    m_model->setEditText(typed.isEmpty() ? first : typed);
}

void RequestPanel::setPrincipals(const QStringList& ids) {
    const QString chosen = m_principal->currentData().toString();
    const QSignalBlocker quiet(m_principal);
    m_principal->clear();
    m_principal->addItem(tr("local (may do everything)"), QStringLiteral("local"));
    for (const QString& id : ids) m_principal->addItem(id, id);
    m_principal->setCurrentIndex(std::max(0, m_principal->findData(chosen)));
}

void RequestPanel::setRecent(const std::vector<RecordPtr>& records) {
    if (m_recent->view()->isVisible()) return;  // somebody is choosing: what is under the pointer stays there
    const QSignalBlocker quiet(m_recent);
    m_recent->clear();
    m_recent->addItem(records.empty() ? tr("none yet") : tr("choose one…"), QString());
    const auto when = [now = format::now()](Timestamp at) {
        return now - at < std::chrono::hours(12) ? format::clockTime(at) : format::dateTime(at);
    };
    for (const RecordPtr& record : records)
        m_recent->addItem(tr("%1  %2").arg(when(record->createdAt), format::text(record->requestedModel)), format::text(record->id.text()));
    m_recent->setEnabled(!records.empty());
}

void RequestPanel::setRecord(RecordPtr record, const QString& problem) {
    m_record = std::move(record);
    if (m_record) m_decision->setText(format::text(m_record->id.text()));
    m_recorded->setText(m_record ? tr("%1 by %2: %3").arg(format::dateTime(m_record->createdAt), format::text(m_record->principal), words::cell(m_record->features.cell)) : problem);
    Q_EMIT changed();
}

void RequestPanel::setBodyProblem(const QString& problem) {
    if (problem.isEmpty()) m_bodyProblem->clear();
    else m_bodyProblem->refuse(problem);
}

void RequestPanel::setSource(Source source) { m_tabs->setCurrentIndex(static_cast<int>(source)); }
void RequestPanel::setModel(const QString& model) { m_model->setEditText(model); }
void RequestPanel::setBody(const QString& body) { m_body->setPlainText(body); }
void RequestPanel::setProfile(const QString& word) { m_profile->setCurrentIndex(std::max(0, m_profile->findData(word))); }

RequestPanel::Source RequestPanel::source() const { return static_cast<Source>(m_tabs->currentIndex()); }

FormFields RequestPanel::fields() const {
    FormFields out;
    out.kind = static_cast<FormFields::Kind>(std::max(0, m_kind->currentIndex()));
    out.model = format::utf8(m_model->currentText().trimmed());
    if (m_cap->value() >= 0) out.outputCap = static_cast<std::uint64_t>(m_cap->value());
    out.lengthHint = format::utf8(m_length->currentData().toString());
    out.tools = static_cast<std::uint32_t>(m_tools->value());
    out.parallelTools = m_parallel->isChecked();
    out.vision = m_vision->isChecked();
    out.inputTokens = static_cast<std::uint64_t>(m_input->value());
    out.inFlight = inFlight();
    return out;
}

std::string RequestPanel::body() const { return format::utf8(m_body->toPlainText()); }

classify::Dialect RequestPanel::dialect() const { return static_cast<classify::Dialect>(m_dialect->currentData().toInt()); }

std::optional<std::uint32_t> RequestPanel::inFlight() const {
    if (m_inFlight->value() == 0) return std::nullopt;
    return static_cast<std::uint32_t>(m_inFlight->value());
}

std::optional<policy::smart::Profile> RequestPanel::profile() const {
    return policy::smart::parseProfile(format::utf8(m_profile->currentData().toString()));
}

std::string RequestPanel::principal() const { return format::utf8(m_principal->currentData().toString()); }
std::string RequestPanel::session() const { return format::utf8(m_session->text()); }
std::string RequestPanel::requestId() const { return format::utf8(m_requestId->text()); }

}  // namespace signalbox::ui
