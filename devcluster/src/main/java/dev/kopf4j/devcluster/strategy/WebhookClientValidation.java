package dev.kopf4j.devcluster.strategy;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.status.FieldError;
import dev.kopf4j.devcluster.value.DnsNames;
import java.net.URI;
import java.util.List;
import tools.jackson.databind.JsonNode;

/**
 * Where webhooks are reached: {@code ValidateWebhookURL} and {@code ValidateWebhookService} in
 * {@code pkg/util/webhook/validation.go} of the apiserver library, v1.33. Pure.
 */
public final class WebhookClientValidation {
    private static final String FORM = "; desired format: https://host[/path]";
    private static final int MAX_PORT = 65535;

    private WebhookClientValidation() {}

    /** Checks a {@code clientConfig} at a path. */
    public static void check(JsonNode client, String path, FieldChecks checks) {
        String url = Json.string(client, "url");
        boolean service = client.path("service").isObject();
        if (url.isEmpty() == !service) {
            checks.add(FieldError.required(path, "exactly one of url or service is required"));
        } else if (!url.isEmpty()) {
            url(url, path + ".url", checks);
        } else {
            service(client.path("service"), path + ".service", checks);
        }
    }

    private static void url(String url, String path, FieldChecks checks) {
        try {
            URI parsed = URI.create(url);
            String scheme = parsed.getScheme();
            if (!"https".equals(scheme)) {
                checks.problem("'https' is the only allowed URL scheme" + FORM, path, scheme == null ? "" : scheme);
            }
            if (parsed.getHost() == null) {
                checks.problem("host must be specified" + FORM, path, "");
            }
            absent(parsed.getUserInfo(), "user information is not permitted in the URL", path, checks);
            absent(parsed.getFragment(), "fragments are not permitted in the URL", path, checks);
            absent(parsed.getQuery(), "query parameters are not permitted in the URL", path, checks);
        } catch (IllegalArgumentException e) {
            checks.problem("url must be a valid URL: " + e.getMessage() + FORM, path, url);
        }
    }

    private static void absent(
            @org.jspecify.annotations.Nullable String part, String problem, String path, FieldChecks checks) {
        if (part != null && !part.isEmpty()) {
            checks.problem(problem, path, part);
        }
    }

    private static void service(JsonNode service, String path, FieldChecks checks) {
        for (String field : List.of("name", "namespace")) {
            if (Json.string(service, field).isEmpty()) {
                checks.add(FieldError.required(path + "." + field, "service " + field + " is required"));
            }
        }
        long port = service.path("port").longValue(1);
        if (port < 1 || port > MAX_PORT) {
            checks.add(FieldError.invalid(
                    path + ".port", String.valueOf(port), "port is not valid: must be between 1 and 65535, inclusive"));
        }
        path(Json.string(service, "path"), path + ".path", checks);
    }

    private static void path(String urlPath, String path, FieldChecks checks) {
        if (urlPath.isEmpty() || urlPath.equals("/")) {
            return;
        }
        if (!urlPath.startsWith("/")) {
            checks.problem("must start with a '/'", path, urlPath);
        }
        String[] steps = urlPath.substring(1).replaceFirst("/$", "").split("/", -1);
        for (int index = 0; index < steps.length; index++) {
            String step = "segment[" + index + "]";
            if (steps[index].isEmpty()) {
                checks.problem(step + " may not be empty", path, urlPath);
            } else if (!DnsNames.subdomain(steps[index]).isEmpty()) {
                checks.problem(step + ": " + DnsNames.subdomain(steps[index]), path, urlPath);
            }
        }
    }
}
