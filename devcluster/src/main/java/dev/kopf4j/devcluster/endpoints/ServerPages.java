package dev.kopf4j.devcluster.endpoints;

import dev.kopf4j.devcluster.api.ApiRequest;
import dev.kopf4j.devcluster.api.ApiResponse;
import dev.kopf4j.devcluster.authentication.ServiceAccountTokens;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.resource.ServedResources;
import dev.kopf4j.devcluster.response.AcceptHeader;
import dev.kopf4j.devcluster.response.IndentedJson;
import dev.kopf4j.devcluster.response.ResponseFactory;
import dev.kopf4j.devcluster.status.ApiException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.databind.node.ObjectNode;

/**
 * What a server answers beside its resources: the list of its paths, health, a few metrics, and whose tokens it issues
 * ({@code pkg/server/routes} of the apiserver library, {@code pkg/routes/openidmetadata.go}, v1.33). Thread-safe.
 */
public final class ServerPages {
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

    private static final String DISCOVERY = "/.well-known/openid-configuration";
    private static final String KEYS = "/openid/v1/jwks";
    /** Other pages do not look at the method. */
    private static final List<String> NEED_GET = List.of(DISCOVERY, KEYS);

    private final ServedResources servedResources;
    private final ServiceAccountTokens tokens;
    private final InstantSource clock;

    /** The pages of a server. */
    public ServerPages(ServedResources servedResources, ServiceAccountTokens tokens, InstantSource clock) {
        this.servedResources = servedResources;
        this.tokens = tokens;
        this.clock = clock;
    }

    /** The page of a path; empty if there is none. */
    Optional<ApiResponse> answer(ApiRequest request) {
        if (NEED_GET.contains(request.path()) && !request.method().equals("GET")) {
            throw ApiException.methodNotAllowed();
        }
        String path = request.path().length() > 1 ? request.path().replaceFirst("/$", "") : request.path();
        return switch (path) {
            case "/", "/index.html" -> json(paths()).map(IndentedJson::of);
            case "/metrics" -> Optional.of(ResponseFactory.text(200, metrics()));
            case DISCOVERY -> json(tokens.discovery(ServiceAccountTokens.ISSUER + KEYS));
            case KEYS -> Optional.of(ApiResponse.whole(200, "application/jwk-set+json", Json.bytes(tokens.keys())));
            default -> answerHealth(request);
        };
    }

    private static Optional<ApiResponse> json(ObjectNode document) {
        return Optional.of(ResponseFactory.object(200, AcceptHeader.JSON, document, List.of()));
    }

    private ObjectNode paths() {
        TreeSet<String> paths = new TreeSet<>(healthPaths());
        paths.addAll(List.of(DISCOVERY, KEYS, "/api", "/api/v1", "/apis", "/metrics", "/openapi/v2", "/openapi/v3"));
        paths.add("/version");
        for (ServedResources.Group group : servedResources.groups()) {
            if (!group.name().isEmpty()) {
                paths.add("/apis/" + group.name());
                group.versions().keySet().forEach(version -> paths.add("/apis/" + group.name() + "/" + version));
            }
        }
        ObjectNode document = Json.object();
        document.set("paths", Json.array(paths));
        return document;
    }

    /** Enough for who looks whether there are metrics; the dev cluster measures nothing. */
    private String metrics() {
        Runtime runtime = Runtime.getRuntime();
        return """
                # HELP kubernetes_build_info [BETA] A metric with a constant '1' value labeled by major, minor and git version.
                # TYPE kubernetes_build_info gauge
                kubernetes_build_info{major="1",minor="33"} 1
                # HELP process_resident_memory_bytes Resident memory size in bytes.
                # TYPE process_resident_memory_bytes gauge
                process_resident_memory_bytes %s
                # HELP process_time_seconds The time of the server's clock since unix epoch in seconds.
                # TYPE process_time_seconds gauge
                process_time_seconds %s
                """.formatted(
                runtime.totalMemory() - runtime.freeMemory(), clock.instant().getEpochSecond());
    }

    /**
     * The paths that say whether the server is well, as the root of the server lists them: {@code /healthz},
     * {@code /livez} and {@code /readyz} with a path for each check, by {@code pkg/server/healthz/healthz.go} of the
     * apiserver library, v1.33.
     */
    private static List<String> healthPaths() {
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

    /** The response for such a path; empty if there is no such check. */
    private static Optional<ApiResponse> answerHealth(ApiRequest request) {
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
