// SPDX-License-Identifier: MIT
#include "app/ctl/request_log.h"
#include "app/ctl/serve_policy.h"
#include "app/ctl/verbs.h"
#include "app/shared/demo.h"
#include "app/shared/demo_week/demo_week.h"
#include "app/shared/logging.h"
#include "app/shared/paths.h"
#include "app/shared/process_setup.h"
#include "app/shared/shutdown.h"
#include "router/engine/embedded_target.h"
#include "router/engine/local_operator.h"

#include <future>
#include <ostream>
#include <sstream>
#include <spdlog/logger.h>
#include <tuple>

namespace signalbox::ctl {
namespace {

constexpr std::chrono::milliseconds kTick{1000};
constexpr std::chrono::milliseconds kDrainPatience{30'000};

Result<std::filesystem::path> servedFolder(const ServeOptions& options, const app::UserFolders& folders) {
    if (!options.demo) return workspaceFolder(options.workspace);
    return app::installDemo(folders.demo()).map([&] { return folders.demo(); });
}

Result<PolicySource> sourceOf(const ServeOptions& options, const std::filesystem::path& folder) {
    PolicySource source{folder, std::nullopt, options.requireSignature, {}};
    if (!options.listen.empty()) source.listen = config::parseListenAddress(options.listen).value();
    auto trusted = signing::readTrustedKeys(options.trustedKeys);
    if (!trusted) return tl::unexpected(trusted.error());
    source.trusted = std::move(*trusted);
    return source;
}

Result<std::unique_ptr<engine::Target>> makeTarget(const ServeOptions& options, Context& context,
                                                   const app::WorkspaceHome& home, const PolicySource& source,
                                                   const policy::PolicySnapshot& policy,
                                                   engine::LogFeeds feeds, spdlog::logger& log) {
    const config::GatewayConfig& config = *policy.config;
    engine::EmbeddedOptions embedded;
    embedded.evidenceEnabled = config.evidence.enabled && !options.noEvidence;
    if (embedded.evidenceEnabled) {
        auto where = app::evidenceOptionsOf(home, config.evidence, {}, context.environment);
        if (!where) return tl::unexpected(where.error());
        embedded.evidence = std::move(*where);
    }
    if (options.demo && embedded.evidenceEnabled) {
        if (!app::hasDemoHistory(home.state)) log.info("writing the demo's week into its journal; this is done once and may take a minute");
        const auto written = app::seedDemoHistory(embedded.evidence, home.state, policy, SystemClock());
        if (!written) return tl::unexpected(written.error());
        if (*written > 0) log.info("wrote the demo's week, {} decisions, into its journal", *written);
    }
    embedded.stateFolder = home.state;
    embedded.environment = context.environment;
    embedded.operatedBy = engine::localOperator();
    embedded.applyRules = {source.requireSignature, source.trusted, source.listen};
    return engine::makeEmbeddedTarget(std::move(embedded), std::move(feeds));
}

/// One entry each: what a gateway remarks on may be several things.
void tellRemarks(const std::string& remarks, spdlog::logger& log) {
    std::istringstream lines(remarks);
    for (std::string line; std::getline(lines, line);)
        if (!line.empty()) log.warn("{}", line);
}

/// Says once when the evidence comes or goes: it must be visible, and it must not stop the serving.
class EvidenceWatch {
public:
    void look(const evidence::EvidenceStatus& status, spdlog::logger& log) {
        if (status.state == m_state) return;
        m_state = status.state;
        const bool trouble =
            status.state == evidence::StoreState::unavailable || status.state == evidence::StoreState::journalFull;
        const std::string text = "evidence " + std::string(toString(status.state)) +
                                 (status.where.empty() ? "" : ", " + status.where) +
                                 (trouble && !status.lastError.empty() ? ": " + status.lastError : "");
        log.log(trouble ? spdlog::level::warn : spdlog::level::info, "{}", text);
    }

private:
    evidence::StoreState m_state = evidence::StoreState::off;
};

/// Says where clients reach the gateway now and whether they need a token, when an apply or a reload changed it.
class AccessWatch {
public:
    explicit AccessWatch(const engine::TargetStatus& status) : m_address(status.address), m_tokenRequired(status.tokenRequired) {}
    void look(const engine::TargetStatus& status, spdlog::logger& log) {
        if (status.state != engine::GatewayState::running) return;
        if (status.address != m_address) log.warn("now listening on http://{}, no longer on {}", status.address, m_address);
        if (status.tokenRequired != m_tokenRequired)
            log.warn("{}", status.tokenRequired ? "clients need a token from now on" : "clients need no token any more");
        m_address = status.address;
        m_tokenRequired = status.tokenRequired;
    }

private:
    std::string m_address;
    bool m_tokenRequired;
};

/// Threads and the database are opened once; a change of them must not look as if it had been taken over.
void noteWhatWaits(const config::GatewayConfig& running, const config::GatewayConfig& next, spdlog::logger& log) {
    const auto note = [&](bool changed, const char* what) {
        if (changed) log.warn("{} changed in gateway.toml; it takes effect at the next start", what);
    };
    const auto evidence = [](const config::Evidence& e) {
        return std::tuple(e.dsnEnv, e.journalMaxBytes, e.retentionDays);
    };
    note(running.server.threads != next.server.threads, "server.threads");
    note(evidence(running.evidence) != evidence(next.evidence), "[evidence]");
}

void reload(const PolicySource& source, Context& context, engine::Target& target, spdlog::logger& log) {
    log.info("SIGHUP: reading {} again", source.workspace.string());
    auto policy = source.load(context, log);
    if (!policy) {
        log.error("the running policy stays: {}", policy.error().text());
        return;
    }
    const auto before = target.running();
    if (before) noteWhatWaits(*before->config, *policy->snapshot->config, log);
    if (auto applied = target.apply(std::move(*policy)); !applied) {
        log.error("the running policy stays: {}", applied.error().text());
    } else {
        const engine::TargetStatus status = target.status();
        log.info("running policy {} on {}", status.runningHash, status.address);
        tellRemarks(status.lastError, log);
    }
}

/// Drains; a second request to stop ends the program at once.
int drain(engine::Target& target, app::ShutdownSignals& signals, app::StopWishes& wishes, spdlog::logger& log) {
    log.info("draining, {} in flight, at most {} s; the same signal again stops at once", target.status().inFlight,
             kDrainPatience.count() / 1000);
    auto stopping = std::async(std::launch::async, [&] { return target.stop(kDrainPatience); });
    constexpr std::chrono::milliseconds kShort{50};
    while (stopping.wait_for(std::chrono::seconds(0)) != std::future_status::ready) {
        if (signals.wait(kShort) == app::SignalRequest::stop && wishes.isAnother()) {
            log.warn("stopped without waiting");
            std::_Exit(kUnreachable);
        }
    }
    if (auto stopped = stopping.get(); !stopped) {
        log.error("{}", stopped.error().text());
        return exitCodeOf(stopped.error().kind);
    }
    log.info("stopped");
    return kOk;
}

int serveUntilStopped(const PolicySource& source, Context& context, engine::Target& target,
                      app::ShutdownSignals& signals, spdlog::logger& log) {
    EvidenceWatch evidence;
    AccessWatch access(target.status());
    app::StopWishes wishes(context.clock);
    for (;;) {
        const auto request = signals.wait(kTick);
        if (request == app::SignalRequest::stop && wishes.isAnother()) return drain(target, signals, wishes, log);
        if (request == app::SignalRequest::reload) reload(source, context, target, log);
        const auto status = target.status();
        evidence.look(status.evidence, log);
        access.look(status, log);
        if (status.state == engine::GatewayState::failed) {
            log.error("{}", status.lastError);
            return kUnreachable;
        }
    }
}

/// Why it does not serve: in a log of objects as one of them, else as any other verb says it.
int reportUnserved(const Error& error, Context& context, app::LogFormat format, spdlog::logger& log) {
    if (format != app::LogFormat::json || !log.should_log(spdlog::level::err)) return report(context, error);
    log.error("{}", error.text());
    return exitCodeOf(error.kind);
}

}  // namespace

int runServe(const ServeOptions& options, Context& context) {
    if (options.requireSignature && options.trustedKeys.empty())
        return reportUsage(context, "--require-signature needs at least one --trusted-key FILE");
    if (!options.requireSignature && !options.trustedKeys.empty())
        return reportUsage(context, "--trusted-key does nothing without --require-signature");
    if (!options.listen.empty()) {
        if (const auto address = config::parseListenAddress(options.listen); !address)
            return reportUsage(context, "--listen: " + address.error().text());
    }
    const auto format = app::parseLogFormat(options.logFormat);
    if (!format) return reportUsage(context, format.error().text());
    auto log = app::makeLogger(options.logLevel, *format);
    if (!log) return reportUsage(context, log.error().text());
    // Before any key is read.
    if (const auto kept = app::keepMemoryPrivate(); !kept) (*log)->warn("{}", kept.error().text());
    app::allowManySockets();
    app::keepPagesSmall();

    const auto folders = app::userFolders(context.environment);
    const auto unserved = [&](const Error& error) { return reportUnserved(error, context, *format, **log); };
    if (!folders) return unserved(folders.error());
    const auto folder = servedFolder(options, *folders);
    if (!folder) return unserved(folder.error());
    const auto source = sourceOf(options, *folder);
    if (!source) return unserved(source.error());
    auto policy = source->load(context, **log);
    if (!policy) return unserved(policy.error());

    // Before the engine's threads, which inherit which signals are held back.
    app::ShutdownSignals signals;
    const auto home = app::homeOfWorkspace(*folder, *folders, context.environment);
    const engine::LogFeeds feeds{std::make_shared<gateway::RefusalFeed>(), std::make_shared<gateway::AdminFeed>()};
    auto target = makeTarget(options, context, home, *source, *policy->snapshot, feeds, **log);
    if (!target) return unserved(target.error());
    if (auto started = (*target)->start(std::move(*policy)); !started) return unserved(started.error());

    const auto status = (*target)->status();
    context.out << "signalbox: listening on http://" << status.address << std::endl;
    (*log)->info("workspace {}, policy {}{}", folder->string(), status.runningHash,
                 status.signedBy.empty() ? "" : ", table signed by " + status.signedBy);
    tellRemarks(status.lastError, **log);
    if (status.tokenRequired) {
        const auto& tokenEnv = (*target)->running()->config->server.tokenEnv;
        (*log)->info("clients need the token in {}", tokenEnv ? "$" + *tokenEnv : (home.state / "client-token").string());
    }
    const auto& adminEnv = (*target)->running()->config->server.adminTokenEnv;
    (*log)->info("the admin paths need the token in {}", adminEnv ? "$" + *adminEnv : (home.state / "admin-token").string());
    (*log)->info("smart routing is {}", status.mode);
    for (const std::string& one : status.overrides) (*log)->warn("{} overrides gateway.toml", one);
    const RequestLog requests(**target, feeds, *log, *format, context.clock);
    return serveUntilStopped(*source, context, **target, signals, **log);
}

}  // namespace signalbox::ctl
