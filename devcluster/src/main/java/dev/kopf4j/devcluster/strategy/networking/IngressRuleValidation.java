package dev.kopf4j.devcluster.strategy.networking;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.status.FieldError;
import dev.kopf4j.devcluster.strategy.FieldChecks;
import dev.kopf4j.devcluster.value.DnsNames;
import java.util.List;
import tools.jackson.databind.JsonNode;

/**
 * Rules of ingresses: {@code validateIngressRules} and {@code validateHTTPIngressPath} in
 * {@code pkg/apis/networking/validation/validation.go}, v1.33. Pure.
 */
final class IngressRuleValidation {
    private static final List<String> PATH_TYPES = List.of("Exact", "ImplementationSpecific", "Prefix");
    private static final String WILDCARD_RULE =
            "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist"
                    + " of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character (e.g."
                    + " '*.example.com', regex used for validation is '\\*\\." + DnsNames.SUBDOMAIN + "')";
    private static final int MAX_HOST = 253;

    private IngressRuleValidation() {}

    static void check(JsonNode rules, String path, FieldChecks checks) {
        int index = 0;
        for (JsonNode rule : rules) {
            String where = path + "[" + index++ + "]";
            host(Json.string(rule, "host"), where + ".host", checks);
            paths(rule.path("http"), where + ".http.paths", checks);
        }
    }

    /** The hosts of certificates: {@code validateIngressTLS}. */
    static void hosts(JsonNode certificates, String path, FieldChecks checks) {
        for (int index = 0; index < certificates.size(); index++) {
            JsonNode hosts = certificates.get(index).path("hosts");
            for (int host = 0; host < hosts.size(); host++) {
                dnsName(hosts.get(host).asString(), path + "[" + index + "].hosts[" + host + "]", checks);
            }
        }
    }

    private static void host(String host, String path, FieldChecks checks) {
        if (host.matches("[0-9]+(\\.[0-9]+){3}")) {
            checks.problem("must be a DNS name, not an IP address", path, host);
        } else if (!host.isEmpty()) {
            dnsName(host, path, checks);
        }
    }

    private static void dnsName(String host, String path, FieldChecks checks) {
        boolean wildcard = host.startsWith("*.");
        String plain = wildcard ? host.substring(2) : host;
        if (plain.length() > MAX_HOST || !DnsNames.SUBDOMAIN.matcher(plain).matches()) {
            checks.problem(wildcard ? WILDCARD_RULE : DnsNames.SUBDOMAIN_RULE, path, host);
        }
    }

    private static void paths(JsonNode http, String path, FieldChecks checks) {
        if (http.isObject() && http.path("paths").isEmpty()) {
            checks.add(FieldError.required(path, ""));
        }
        int index = 0;
        for (JsonNode each : http.path("paths")) {
            String where = path + "[" + index++ + "]";
            path(Json.string(each, "pathType"), Json.string(each, "path"), where, checks);
            if (!Json.string(each, "pathType").isEmpty()) {
                IngressBackendValidation.check(each.path("backend"), where + ".backend", checks);
            }
        }
    }

    private static void path(String type, String path, String where, FieldChecks checks) {
        if (type.isEmpty()) {
            checks.add(FieldError.required(where + ".pathType", "pathType must be specified"));
        } else if (!PATH_TYPES.contains(type)) {
            checks.add(FieldError.notSupported(where + ".pathType", FieldError.quote(type), PATH_TYPES));
        } else if (!path.startsWith("/") && !(type.equals("ImplementationSpecific") && path.isEmpty())) {
            checks.problem("must be an absolute path", where + ".path", path);
        }
    }
}
