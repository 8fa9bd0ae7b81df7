// SPDX-License-Identifier: MIT
#include "app/console/keyring.h"

#include <qt6keychain/keychain.h>

namespace signalbox::console {

static const QString kService = QStringLiteral("signalbox");

static Error reasonOf(const QKeychain::Job& job) {
    switch (job.error()) {
    case QKeychain::EntryNotFound: return {ErrorKind::notFound, "the keyring does not hold this token", {}, "Add the gateway once more, with its token."};
    case QKeychain::AccessDeniedByUser:
    case QKeychain::AccessDenied: return {ErrorKind::denied, "the keyring was not opened", {}, "Unlock it, then try again."};
    default: break;
    }
    return {ErrorKind::unavailable, "there is no keyring that can be used: " + job.errorString().toStdString(), {},
            "Let an environment variable hold the token, and name it instead."};
}

// A job deletes itself when it is over.
template <class J>
static J* jobFor(const QString& name, QObject* parent) {
    auto* job = new J(kService, parent);
    job->setAutoDelete(true);
    job->setInsecureFallback(false);
    job->setKey(name);
    return job;
}

static void whenDone(QKeychain::Job* job, QObject* context, std::function<void(Result<void>)> done) {
    QObject::connect(job, &QKeychain::Job::finished, context, [done = std::move(done)](const QKeychain::Job* ended) {
        if (ended->error() == QKeychain::NoError) done({});
        else done(tl::unexpected(reasonOf(*ended)));
    });
    job->start();
}

void Keyring::read(const QString& name, std::function<void(Result<QString>)> done) {
    auto* job = jobFor<QKeychain::ReadPasswordJob>(name, this);
    whenDone(job, this, [job, done = std::move(done)](const Result<void>& ended) {
        if (ended) done(job->textData());
        else done(tl::unexpected(ended.error()));
    });
}

void Keyring::write(const QString& name, const QString& secret, std::function<void(Result<void>)> done) {
    auto* job = jobFor<QKeychain::WritePasswordJob>(name, this);
    job->setTextData(secret);
    whenDone(job, this, std::move(done));
}

void Keyring::remove(const QString& name, std::function<void(Result<void>)> done) {
    whenDone(jobFor<QKeychain::DeletePasswordJob>(name, this), this, std::move(done));
}

}  // namespace signalbox::console
