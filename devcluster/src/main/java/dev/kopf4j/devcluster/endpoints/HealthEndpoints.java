package dev.kopf4j.devcluster.endpoints;

import dev.kopf4j.devcluster.api.ApiRequest;
import dev.kopf4j.devcluster.api.ApiResponse;
import dev.kopf4j.devcluster.response.ResponseFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Whether the server is well: {@code /healthz}, {@code /livez} and {@code /readyz} with a path for each check, by
 * {@code pkg/server/healthz/healthz.go} of the apiserver library, v1.33. A server that answers is well. Stateless.
 */
final class HealthEndpoints {
    private static final List<String> ROOTS = List.of("healthz", "livez", "readyz");
    private static final List<String> CHECKS = List.of("ping", "log", "etcd");
    private static final List<String> OF_READINESS = List.of("etcd-readiness", "informer-sync", "shutdown");
    private static final List<String> HOOKS = List.of(
            "start-apiserver-admission-initializer",
            "generic-apiserver-start-informers",
            "start-apiextensions-informers",
            "start-apiextensions-controllers",
            "crd-informer-synced",
            "rbac/bootstrap-roles",
            "scheduling/bootstrap-system-priority-classes",
            "apiservice-registration-controller",
            "apiservice-openapi-controller",
            "apiservice-openapiv3-controller",
            "apiservice-discovery-controller");

    private HealthEndpoints() {}

    /** The paths, as the root of the server lists them. */
    static List<String> paths() {
        return ROOTS.stream()
                .flatMap(root -> Stream.concat(
                        Stream.of("/" + root), checks(root).stream().map(check -> "/" + root + "/" + check)))
                .toList();
    }

    private static List<String> checks(String root) {
        List<String> checks = new ArrayList<>(CHECKS);
        if (root.equals("readyz")) {
            checks.addAll(OF_READINESS);
        }
        HOOKS.forEach(hook -> checks.add("poststarthook/" + hook));
        return checks;
    }

    /** The response for a path; empty if there is no such check. */
    static Optional<ApiResponse> answer(ApiRequest request) {
        String[] parts = request.path().replaceFirst("^/", "").split("/", 2);
        if (!ROOTS.contains(parts[0])) {
            return Optional.empty();
        }
        String check = parts.length == 1 ? "" : parts[1];
        if (!check.isEmpty()) {
            return checks(parts[0]).contains(check) ? Optional.of(ResponseFactory.text(200, "ok")) : Optional.empty();
        }
        return Optional.of(
                request.query().containsKey("verbose")
                        ? ResponseFactory.text(200, verbose(parts[0], request))
                        : ResponseFactory.text(200, "ok"));
    }

    private static String verbose(String root, ApiRequest request) {
        List<String> excluded = request.query().getOrDefault("exclude", List.of());
        return checks(root).stream()
                .map(check -> "[+]" + check + (excluded.contains(check) ? " excluded: ok\n" : " ok\n"))
                .collect(Collectors.joining("", "", root + " check passed\n"));
    }
}
