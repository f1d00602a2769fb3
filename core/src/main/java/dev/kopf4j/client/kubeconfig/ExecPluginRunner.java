package dev.kopf4j.client.kubeconfig;

import dev.kopf4j.ConnectionInfo;
import dev.kopf4j.client.error.NoCredentialsException;
import dev.kopf4j.client.kubeconfig.ExecPluginRunner.ExecPluginCommand.TerminalUse;
import dev.kopf4j.client.kubeconfig.Kubeconfig.KubeconfigEntry;
import dev.kopf4j.json.Json;
import dev.kopf4j.json.JsonConversionException;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.Monitor;
import dev.kopf4j.runtime.Platform;
import dev.kopf4j.runtime.Task;
import dev.kopf4j.text.DurationText;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.Console;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Runs the commands of a kubeconfig that print credentials. Thread-safe. */
public final class ExecPluginRunner {
    private static final Logger log = LoggerFactory.getLogger("kopf4j.activities.authentication");

    /** Long enough for a person to log in with a browser. After that, the plugin is killed. */
    private static final Duration TIMEOUT = Duration.ofMinutes(2);

    private static final int ERRORS_SHOWN_MAX = 1000;

    private final Platform platform;
    private final Duration timeout;
    private final boolean hasTerminal;
    private final OutputStream terminal;

    /** Makes a runner that kills commands after two minutes. */
    public ExecPluginRunner(Platform platform) {
        this(
                platform,
                TIMEOUT,
                Optional.ofNullable(System.console()).map(Console::isTerminal).orElse(false),
                System.err);
    }

    ExecPluginRunner(Platform platform, Duration timeout, boolean hasTerminal, OutputStream terminal) {
        this.hasTerminal = hasTerminal;
        this.terminal = terminal;
        this.platform = platform;
        this.timeout = timeout;
    }

    ExecCredential run(ExecPluginCommand command) throws InterruptedException {
        if (command.terminal() == TerminalUse.ALWAYS && !hasTerminal) {
            throw new NoCredentialsException(command.describe() + " needs a terminal, and there is none");
        }
        boolean interactive = hasTerminal && command.terminal() != TerminalUse.NEVER;
        Process process = start(command, interactive);
        try {
            return new RunningPlugin(command, process, interactive).result();
        } finally {
            process.destroyForcibly();
        }
    }

    private static Process start(ExecPluginCommand command, boolean interactive) {
        ProcessBuilder builder = new ProcessBuilder(command.line());
        builder.environment().putAll(command.environment());
        builder.environment().put("KUBERNETES_EXEC_INFO", command.request(interactive));
        if (interactive) {
            builder.redirectInput(ProcessBuilder.Redirect.INHERIT);
        }
        try {
            Process process = builder.start();
            if (!interactive) {
                // What reads its input then finds its end at once, and does not wait for somebody to type.
                close(process.getOutputStream());
            }
            return process;
        } catch (IOException e) {
            String hint = command.installHint() == null ? "" : ". " + command.installHint();
            throw new NoCredentialsException(command.describe() + " cannot be started: " + e.getMessage() + hint, e);
        }
    }

    private static void close(OutputStream input) {
        try {
            input.close();
        } catch (IOException e) {
            log.debug("The input of an exec plugin is closed already: {}", e.getMessage());
        }
    }

    /**
     * A running plugin. A task reads each of its outputs, so that the plugin does not block on a full pipe. What it
     * says beside the credential is shown at once, as it may ask somebody to go somewhere and enter a code.
     */
    private final class RunningPlugin {
        private final ExecPluginCommand command;
        private final Process process;
        private final Monitor monitor = platform.monitor();
        private final ByteArrayOutputStream output = new ByteArrayOutputStream();
        private final ByteArrayOutputStream errors = new ByteArrayOutputStream();
        private final boolean interactive;
        private boolean ended;

        RunningPlugin(ExecPluginCommand command, Process process, boolean interactive) {
            this.command = command;
            this.process = process;
            this.interactive = interactive;
        }

        ExecCredential result() throws InterruptedException {
            Deadline deadline = platform.after(timeout);
            Task outputReader = platform.spawn("exec-plugin-output", () -> copy(process.getInputStream(), output));
            Task errorReader = platform.spawn("exec-plugin-errors", this::readErrors);
            var _ = process.onExit()
                    .thenRun(() -> monitor.locked(() -> {
                        ended = true;
                    }));
            boolean done = monitor.awaitTrue(() -> ended, deadline)
                    && outputReader.join(deadline)
                    && errorReader.join(deadline);
            if (!done) {
                throw new NoCredentialsException(
                        command.describe() + " has not ended within " + DurationText.format(timeout) + errorText());
            }
            if (process.exitValue() != 0) {
                throw new NoCredentialsException(
                        command.describe() + " has failed with exit code " + process.exitValue() + errorText());
            }
            return ExecCredential.parse(command, output.toByteArray());
        }

        private void copy(InputStream from, ByteArrayOutputStream to) {
            try (from) {
                from.transferTo(to);
            } catch (IOException e) {
                // The pipe breaks when the plugin is killed; its exit code or the timeout says what happened.
                to.writeBytes(e.toString().getBytes(StandardCharsets.UTF_8));
            }
        }

        private void readErrors() {
            try (BufferedReader from = process.errorReader(StandardCharsets.UTF_8)) {
                if (interactive) {
                    char[] some = new char[1024];
                    for (int count = from.read(some); count >= 0; count = from.read(some)) {
                        byte[] text = new String(some, 0, count).getBytes(StandardCharsets.UTF_8);
                        errors.writeBytes(text);
                        terminal.write(text); // as it comes: a question has no end of a line
                        terminal.flush();
                    }
                } else {
                    for (String line = from.readLine(); line != null; line = from.readLine()) {
                        errors.writeBytes((line + "\n").getBytes(StandardCharsets.UTF_8));
                        log.info("Said by {}: {}", command.describe(), line);
                    }
                }
            } catch (IOException e) {
                errors.writeBytes(e.toString().getBytes(StandardCharsets.UTF_8)); // as in copy
            }
        }

        private String errorText() {
            String text = errors.toString(StandardCharsets.UTF_8).strip();
            if (text.isEmpty()) {
                return ", and has not said why";
            }
            return ": " + (text.length() <= ERRORS_SHOWN_MAX ? text : text.substring(0, ERRORS_SHOWN_MAX) + "...");
        }
    }

    /** The output of an exec plugin: a token, or a certificate with its key, or both. */
    record ExecCredential(
            @Nullable String token,
            @Nullable String certificate,
            @Nullable String key,
            @Nullable Instant expiration) {

        static ExecCredential parse(ExecPluginCommand command, byte[] output) {
            JsonNode printed;
            try {
                printed = Json.parseObject(output);
            } catch (JsonConversionException e) {
                // Neither message nor cause quotes the output: it may be a secret.
                throw new NoCredentialsException(command.describe() + " has not printed an ExecCredential object");
            }
            if (!command.apiVersion().equals(text(printed, "apiVersion"))) {
                throw new NoCredentialsException(command.describe() + " was asked for " + command.apiVersion()
                        + ", but has printed " + text(printed, "apiVersion"));
            }
            JsonNode status = printed.path("status");
            ExecCredential credential = new ExecCredential(
                    text(status, "token"),
                    text(status, "clientCertificateData"),
                    text(status, "clientKeyData"),
                    instant(command, text(status, "expirationTimestamp")));
            if (credential.token == null && (credential.certificate == null || credential.key == null)) {
                throw new NoCredentialsException(
                        command.describe() + " has printed neither a token nor a certificate with its key");
            }
            return credential;
        }

        private static @Nullable String text(JsonNode node, String field) {
            String value = node.path(field).asString("");
            return value.isEmpty() ? null : value;
        }

        private static @Nullable Instant instant(ExecPluginCommand command, @Nullable String timestamp) {
            try {
                return timestamp == null
                        ? null
                        : OffsetDateTime.parse(timestamp).toInstant();
            } catch (DateTimeParseException e) {
                throw new NoCredentialsException(
                        command.describe() + " has printed a wrong expirationTimestamp: " + timestamp, e);
            }
        }

        void describe(ConnectionInfo.Builder info) {
            if (token != null) {
                info.token(token);
            }
            if (certificate != null && key != null) {
                info.certificatePath(null)
                        .privateKeyPath(null)
                        .certificateData(certificate)
                        .privateKeyData(key);
            }
            info.expiration(expiration);
        }
    }

    /**
     * A command of a kubeconfig that prints a credential.
     *
     * @param user the name of the user entry, for messages
     * @param apiVersion the version of the protocol
     * @param line the command and its arguments
     * @param environment the variables to add
     * @param installHint how to install the command; null if the kubeconfig does not say it
     * @param terminal whether the command is to have the terminal of this process
     * @param cluster the cluster's fields, if the command asks for them; else null
     * @see <a
     *     href="https://kubernetes.io/docs/reference/access-authn-authz/authentication/#client-go-credential-plugins">
     *     client-go credential plugins</a>
     */
    record ExecPluginCommand(
            String user,
            String apiVersion,
            List<String> line,
            Map<String, String> environment,
            @Nullable String installHint,
            TerminalUse terminal,
            @Nullable ObjectNode cluster) {
        private static final Set<String> VERSIONS =
                Set.of("client.authentication.k8s.io/v1", "client.authentication.k8s.io/v1beta1");
        private static final String FOR_PLUGINS = "client.authentication.k8s.io/exec";

        static ExecPluginCommand of(String user, KubeconfigEntry exec, KubeconfigEntry cluster) {
            String apiVersion = required(user, exec, "apiVersion");
            if (!VERSIONS.contains(apiVersion)) {
                throw new NoCredentialsException("the exec plugin of the user '" + user + "' in " + exec.file()
                        + " speaks the version '" + apiVersion + "', but only " + VERSIONS + " are known");
            }
            List<String> line = new ArrayList<>();
            String command = required(user, exec, "command");
            line.add(command.contains("/") ? exec.resolved(command) : command);
            line.addAll(exec.texts("args"));
            TerminalUse terminal = TerminalUse.of(exec.text("interactiveMode"));
            ObjectNode told = exec.flag("provideClusterInfo") ? described(cluster) : null;
            return new ExecPluginCommand(
                    user, apiVersion, line, environment(exec), exec.text("installHint"), terminal, told);
        }

        /** Whether a command asks people: its {@code interactiveMode}. */
        enum TerminalUse {
            NEVER,
            IF_THERE_IS_ONE,
            /** It works only in a terminal. */
            ALWAYS;

            private static TerminalUse of(@Nullable String mode) {
                return switch (mode) {
                    case "Never" -> NEVER;
                    case "Always" -> ALWAYS;
                    case null, default -> IF_THERE_IS_ONE;
                };
            }
        }

        private static String required(String user, KubeconfigEntry exec, String field) {
            return Optional.ofNullable(exec.text(field))
                    .orElseThrow(() -> new NoCredentialsException(
                            "the exec plugin of the user '" + user + "' in " + exec.file() + " has no " + field));
        }

        private static Map<String, String> environment(KubeconfigEntry exec) {
            Map<String, String> variables = new LinkedHashMap<>();
            for (KubeconfigEntry variable : exec.sections("env")) {
                String name = variable.text("name");
                if (name != null) {
                    variables.put(
                            name, Optional.ofNullable(variable.text("value")).orElse(""));
                }
            }
            return variables;
        }

        /**
         * The authority as data, also if the kubeconfig names a file, and what the kubeconfig has for plugins alone.
         */
        private static ObjectNode described(KubeconfigEntry cluster) {
            ObjectNode told = Json.object();
            String authority = cluster.path("certificate-authority");
            if (authority != null && cluster.text("certificate-authority-data") == null) {
                told.put("certificate-authority-data", encoded(authority));
            }
            for (String field : List.of("server", "tls-server-name", "certificate-authority-data", "proxy-url")) {
                if (cluster.text(field) != null) {
                    told.put(field, cluster.text(field));
                }
            }
            if (cluster.flag("insecure-skip-tls-verify")) {
                told.put("insecure-skip-tls-verify", true);
            }
            for (KubeconfigEntry extension : cluster.sections("extensions")) {
                if (FOR_PLUGINS.equals(extension.text("name"))) {
                    told.set("config", Json.fromJava(extension.content().get("extension")));
                }
            }
            return told;
        }

        private static String encoded(String file) {
            try {
                return Base64.getEncoder().encodeToString(Files.readAllBytes(Path.of(file)));
            } catch (IOException e) {
                throw new NoCredentialsException("the certificate-authority " + file + " cannot be read: " + e, e);
            }
        }

        /** Returns the request to the plugin: the value of {@code KUBERNETES_EXEC_INFO}. */
        String request(boolean interactive) {
            ObjectNode spec = Json.object().put("interactive", interactive);
            if (cluster != null) {
                spec.set("cluster", cluster);
            }
            ObjectNode request = Json.object().put("kind", "ExecCredential").put("apiVersion", apiVersion);
            request.set("spec", spec);
            return Json.text(request);
        }

        String describe() {
            return "the exec plugin '" + line.getFirst() + "' of the user '" + user + "'";
        }
    }
}
