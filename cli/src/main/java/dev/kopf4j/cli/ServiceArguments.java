package dev.kopf4j.cli;

import dev.kopf4j.cli.process.CommandException;
import dev.kopf4j.devcluster.WebhookServices;
import java.net.URI;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads where services are reached: {@code PORT} or {@code PORT/READY}, several with commas between them. */
final class ServiceArguments {
    private static final Pattern ENDPOINT = Pattern.compile("(\\d{1,5})(?:/(\\d{1,5}))?");
    private static final int PORT_MAX = 65_535;

    private ServiceArguments() {}

    static WebhookServices parse(Map<String, String> arguments) {
        WebhookServices services = WebhookServices.of(Map.of());
        for (Map.Entry<String, String> each : arguments.entrySet()) {
            for (String endpoint : each.getValue().split(",", -1)) {
                Matcher parts = ENDPOINT.matcher(endpoint);
                if (!parts.matches()) {
                    throw refused(each, endpoint);
                }
                Optional<URI> readiness = Optional.ofNullable(parts.group(2))
                        .map(ready -> URI.create("http://127.0.0.1:" + port(each, ready) + "/ready/webhooks"));
                services = services.with(each.getKey(), port(each, parts.group(1)), readiness);
            }
        }
        return services;
    }

    private static int port(Map.Entry<String, String> argument, String text) {
        int port = Integer.parseInt(text);
        if (port < 1 || port > PORT_MAX) {
            throw refused(argument, text);
        }
        return port;
    }

    private static CommandException refused(Map.Entry<String, String> argument, String endpoint) {
        return CommandException.usage("--service " + argument.getKey() + "=" + argument.getValue() + ": '" + endpoint
                + "' is no endpoint: write PORT or PORT/READY, such as 9443/8080, from 1 to 65535.");
    }
}
