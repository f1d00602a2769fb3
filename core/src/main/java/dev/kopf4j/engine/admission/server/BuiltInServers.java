package dev.kopf4j.engine.admission.server;

import dev.kopf4j.OperatorException;
import dev.kopf4j.engine.admission.identity.Secrets;
import dev.kopf4j.engine.admission.server.ClusterKind.ApiServerIdentity;
import dev.kopf4j.json.Json;
import dev.kopf4j.json.JsonConversionException;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.Monitor;
import dev.kopf4j.runtime.Platform;
import dev.kopf4j.runtime.Task;
import dev.kopf4j.runtime.Task.TaskEndError;
import dev.kopf4j.webhook.AutoWebhookServer;
import dev.kopf4j.webhook.LocalWebhookServer;
import dev.kopf4j.webhook.NgrokTunnel;
import dev.kopf4j.webhook.WebhookClientConfig;
import dev.kopf4j.webhook.WebhookServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Runs webhook servers: the framework's own as they are described, others as they are. Thread-safe.
 *
 * @param apiServer tells clusters apart
 * @param secrets have certificates and authorities
 */
public record BuiltInServers(Platform platform, ApiServerIdentity apiServer, Secrets secrets) {
    private static final Duration EXIT_GRACE = Duration.ofSeconds(5);

    /** How long a server may take to end after it was interrupted. */
    public static Duration stopsWithin(WebhookServer server) {
        return switch (server) {
            case LocalWebhookServer local -> local.stopDelay().plus(EXIT_GRACE);
            case AutoWebhookServer auto -> {
                Duration known = stopsWithin(auto.server());
                Duration other = stopsWithin(auto.fallback());
                yield known.compareTo(other) > 0 ? known : other;
            }
            default -> EXIT_GRACE;
        };
    }

    /** The server in this process, but for clusters on a laptop, which have one replica; null if there is none. */
    public static @Nullable LocalWebhookServer local(@Nullable WebhookServer server) {
        return switch (server) {
            case LocalWebhookServer local -> local;
            case AutoWebhookServer auto -> local(auto.fallback());
            case null, default -> null;
        };
    }

    /** Serves until that ends, usually because it is interrupted. */
    public void serve(WebhookServer server, WebhookServer.WebhookContext context) throws Exception {
        switch (server) {
            case LocalWebhookServer local ->
                new LocalServerRun(
                                platform,
                                secrets,
                                local,
                                context,
                                (options, identity, same) -> ReviewServer.start(platform, options, identity, same))
                        .run();
            case AutoWebhookServer auto ->
                context.serve(ClusterKind.of(apiServer).serverOf(auto), context::publish);
            case NgrokTunnel tunnel -> new NgrokRun(platform, tunnel, context).run();
            default -> server.serve(context);
        }
    }

    /** A context that hears, too, of a server that has no place for a request. */
    public interface CrowdedContext extends WebhookServer.WebhookContext {
        /**
         * No request is taken any more, or they are again.
         *
         * @param why in words for people; null from when on there is room
         */
        void crowded(@Nullable String why);
    }

    /** Runs a server, and the program ngrok as a tunnel to it. Used once. */
    static final class NgrokRun {
        private static final Logger log = LoggerFactory.getLogger("kopf4j.admission");
        private static final Duration EXIT_GRACE = Duration.ofSeconds(5);

        private final Platform platform;
        private final NgrokTunnel tunnel;
        private final WebhookServer.WebhookContext context;
        private final Monitor monitor;

        private volatile String lastError = "";

        // Guarded by the monitor.
        private @Nullable WebhookClientConfig inner;
        private @Nullable OperatorException failure;

        NgrokRun(Platform platform, NgrokTunnel tunnel, WebhookServer.WebhookContext context) {
            this.platform = platform;
            this.tunnel = tunnel;
            this.context = context;
            this.monitor = platform.monitor();
        }

        /** Serves until it is interrupted, or one of both ends. */
        void run() throws InterruptedException {
            Task server = platform.spawn("webhook server behind ngrok", this::serve);
            try {
                monitor.awaitTrue(() -> inner != null || failure != null, Deadline.NEVER);
                refuseFailure();
                tunnelTo(monitor.locked(() -> inner));
            } finally {
                server.interrupt();
                server.join(platform.after(EXIT_GRACE));
            }
        }

        private void serve() {
            LocalWebhookServer local = WebhookServer.local()
                    .address("127.0.0.1")
                    .port(tunnel.port())
                    .path(tunnel.path())
                    .insecure();
            try {
                context.serve(
                        local,
                        config -> monitor.locked(() -> {
                            inner = config;
                        }));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt(); // the tunnel has ended
            } catch (Throwable e) {
                TaskEndError.letThrough(e);
                fail("The webhook server behind ngrok has failed: " + Platform.message(e), e);
            }
        }

        private void tunnelTo(@Nullable WebhookClientConfig config) throws InterruptedException {
            if (!(config instanceof WebhookClientConfig.Url local)) {
                throw new IllegalStateException("a server without a URL behind a tunnel: " + config);
            }
            URI url = URI.create(local.url());
            Process process = start(url.getHost() + ":" + url.getPort());
            try {
                platform.spawn("ngrok output", () -> read(process));
                monitor.awaitTrue(() -> failure != null, Deadline.NEVER);
                refuseFailure();
            } finally {
                process.destroy();
            }
        }

        private Process start(String address) {
            List<String> line = new ArrayList<>(
                    List.of(tunnel.binary().toString(), "http", address, "--log", "stdout", "--log-format", "json"));
            if (tunnel.region() != null) {
                line.addAll(List.of("--region", tunnel.region()));
            }
            ProcessBuilder builder = new ProcessBuilder(line).redirectErrorStream(true);
            if (tunnel.token() != null) {
                builder.environment().put("NGROK_AUTHTOKEN", tunnel.token()); // others can read command lines
            }
            try {
                return builder.start();
            } catch (IOException e) {
                throw new OperatorException(
                        "The tunnel for webhooks cannot be started: " + e.getMessage()
                                + ". Install ngrok (https://ngrok.com/download), or name the program by"
                                + " WebhookServer.ngrok().binary(...), or choose another server for admission.server.",
                        e);
            }
        }

        /** Listens to what the program says, until it ends. */
        private void read(Process process) {
            try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
                for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                    hear(line);
                }
            } catch (IOException e) {
                log.debug("The output of ngrok has broken off.", e); // it ends
            } finally {
                String said = lastError;
                fail("The tunnel for webhooks has ended: " + (said.isEmpty() ? "ngrok has not said why" : said), null);
            }
        }

        private void hear(String line) {
            log.debug("ngrok: {}", line);
            ObjectNode entry = parsed(line);
            if (entry == null) {
                return;
            }
            String url = entry.path("url").asString("");
            String problem = entry.path("err").asString("");
            if (url.startsWith("https://") && entry.path("msg").asString("").equals("started tunnel")) {
                context.publish(WebhookClientConfig.url(url + tunnel.path()));
            } else if (!problem.isEmpty() && !problem.equals("<nil>")) {
                lastError = problem;
            }
        }

        private @Nullable ObjectNode parsed(String line) {
            try {
                return Json.parseObject(line.getBytes(StandardCharsets.UTF_8));
            } catch (JsonConversionException e) {
                lastError = line; // mistakes in the command line are told in plain text
                return null;
            }
        }

        private void fail(String message, @Nullable Throwable cause) {
            monitor.locked(() -> {
                if (failure == null) {
                    failure = cause == null ? new OperatorException(message) : new OperatorException(message, cause);
                }
            });
        }

        private void refuseFailure() {
            OperatorException problem = monitor.locked(() -> failure);
            if (problem != null) {
                throw problem;
            }
        }
    }
}
