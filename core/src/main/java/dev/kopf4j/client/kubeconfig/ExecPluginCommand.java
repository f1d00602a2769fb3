package dev.kopf4j.client.kubeconfig;

import dev.kopf4j.client.error.NoCredentialsException;
import dev.kopf4j.client.kubeconfig.Kubeconfig.KubeconfigEntry;
import dev.kopf4j.json.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

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
 * @see <a href="https://kubernetes.io/docs/reference/access-authn-authz/authentication/#client-go-credential-plugins">
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
                variables.put(name, Optional.ofNullable(variable.text("value")).orElse(""));
            }
        }
        return variables;
    }

    private static ObjectNode described(KubeconfigEntry cluster) {
        ObjectNode told = Json.object();
        for (String field : List.of("server", "tls-server-name", "certificate-authority-data", "proxy-url")) {
            if (cluster.text(field) != null) {
                told.put(field, cluster.text(field));
            }
        }
        if (cluster.flag("insecure-skip-tls-verify")) {
            told.put("insecure-skip-tls-verify", true);
        }
        return told;
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
