package dev.kopf4j.cli;

import dev.kopf4j.cli.process.CommandException;
import dev.kopf4j.text.FileProblem;
import dev.kopf4j.webhook.WebhookClientConfig;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Where the API server finds the webhooks, and whom it trusts. */
final class WebhookAddressOptions {
    private static final Pattern SERVICE = Pattern.compile("([^/:]+)/([^/:]+)(?::(\\d{1,5}))?");
    private static final String HTTPS = "443";
    private static final int PORT_MAX = 65_535;

    @Option(
            names = "--service",
            paramLabel = "NAMESPACE/NAME[:PORT]",
            description = "The Service by which the API server reaches the webhooks (port: 443).")
    private @Nullable String service;

    @Option(names = "--url", paramLabel = "URL", description = "The address by which it does so without a Service.")
    private @Nullable String url;

    @Option(names = "--path", paramLabel = "PATH", description = "The path of the webhook server (default: the root).")
    private String path = "";

    @Option(names = "--ca", paramLabel = "FILE", description = "The authorities that it trusts, in PEM.")
    private @Nullable Path ca;

    @Option(
            names = "--inject-ca-from",
            paramLabel = "NAMESPACE/CERTIFICATE",
            description = "Let cert-manager write the authorities, those of this Certificate.")
    private @Nullable String injectedFrom;

    @Option(
            names = "--target-port",
            paramLabel = "PORT",
            description = "The port of the webhook server, for the Service (default: ${DEFAULT-VALUE}).")
    private int targetPort = 9443;

    /** Refuses what contradicts itself. */
    void check() {
        if ((service == null) == (url == null)) {
            throw CommandException.usage(
                    "Name the webhooks' address either by --service NAMESPACE/NAME or by --url URL.");
        }
        if (service != null && !SERVICE.matcher(service).matches()) {
            throw CommandException.usage(
                    "--service " + service + " is no Service: write NAMESPACE/NAME or NAMESPACE/NAME:PORT.");
        }
        if (service != null && !isPort(port(parts(service)))) {
            throw CommandException.usage(
                    "--service " + service + " names no port: 1 to " + PORT_MAX + " are possible.");
        }
        if (!isPort(targetPort)) {
            throw CommandException.usage(
                    "--target-port " + targetPort + " is no port: 1 to " + PORT_MAX + " are possible.");
        }
        if (ca != null && injectedFrom != null) {
            throw CommandException.usage("Either --ca or --inject-ca-from says whom the API server trusts, not both.");
        }
    }

    WebhookClientConfig clientConfig() {
        String plain = path.replaceAll("^/+|/+$", "");
        WebhookClientConfig config =
                service == null ? WebhookClientConfig.url(String.valueOf(url)) : byService(service);
        WebhookClientConfig below = plain.isEmpty() ? config : config.withPath(plain);
        return injectedFrom == null ? below.withCaBundle(bundle()) : below.withCaInjectedFrom(injectedFrom);
    }

    private static WebhookClientConfig byService(String text) {
        Matcher parts = parts(text);
        return WebhookClientConfig.service(parts.group(1), parts.group(2), port(parts));
    }

    private static Matcher parts(String text) {
        Matcher parts = SERVICE.matcher(text);
        if (!parts.matches()) {
            throw new IllegalStateException("not checked: " + text);
        }
        return parts;
    }

    private static int port(Matcher parts) {
        return Integer.parseInt(Optional.ofNullable(parts.group(3)).orElse(HTTPS));
    }

    private static boolean isPort(int number) {
        return number >= 1 && number <= PORT_MAX;
    }

    private @Nullable String bundle() {
        if (ca == null) {
            return null;
        }
        try {
            return Files.readString(ca, StandardCharsets.US_ASCII);
        } catch (IOException e) {
            throw CommandException.usage("Cannot read the authorities " + ca + ": " + FileProblem.describe(ca, e));
        }
    }

    /** The Service; empty if the webhooks are reached by a URL. */
    Optional<ObjectNode> service() {
        if (service == null) {
            return Optional.empty();
        }
        Matcher parts = parts(service);
        ObjectNode object =
                JsonMapper.shared().createObjectNode().put("apiVersion", "v1").put("kind", "Service");
        object.putObject("metadata").put("namespace", parts.group(1)).put("name", parts.group(2));
        ObjectNode wanted = object.putObject("spec");
        wanted.putObject("selector").put("app", parts.group(2));
        wanted.putArray("ports").addObject().put("port", port(parts)).put("targetPort", targetPort);
        return Optional.of(object);
    }
}
