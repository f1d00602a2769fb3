package dev.kopf4j.devcluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.devcluster.api.ApiRequest;
import dev.kopf4j.devcluster.api.ApiResponse;
import dev.kopf4j.devcluster.api.WatchStream;
import dev.kopf4j.devcluster.conformance.VirtualTime;
import dev.kopf4j.devcluster.json.Json;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/**
 * Requests that nobody would send: each gets an orderly answer, and the server serves on. More of them by
 * {@code -Dfuzz.requests=100000}, others by {@code -Dfuzz.seed=N}.
 */
class FuzzTest {
    private static final int REQUESTS = Integer.getInteger("fuzz.requests", 3000);
    private static final long SEED = Long.getLong("fuzz.seed", 20_261_120L);
    private static final List<String> METHODS =
            List.of("GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "TRACE", "FOO");
    private static final List<String> PARTS = List.of(
            "api",
            "apis",
            "v1",
            "apps",
            "namespaces",
            "default",
            "pods",
            "configmaps",
            "deployments",
            "a",
            "b",
            "status",
            "scale",
            "kopf.dev",
            "examples",
            "nodes",
            "secrets",
            "customresourcedefinitions",
            "apiextensions.k8s.io",
            "batch",
            "jobs",
            "log",
            "exec",
            "token",
            "serviceaccounts",
            "..",
            "",
            "%",
            "x".repeat(300),
            "ä",
            "openapi",
            "v3",
            "v2",
            "version",
            "rbac.authorization.k8s.io",
            "clusterroles",
            "selfsubjectaccessreviews",
            "authorization.k8s.io",
            "admissionregistration.k8s.io",
            "validatingwebhookconfigurations",
            "events",
            "services",
            "leases",
            "coordination.k8s.io",
            "binding",
            "eviction",
            "finalize",
            "watch");
    private static final List<String> COLLECTIONS = List.of(
            "/api/v1/namespaces/default/configmaps",
            "/api/v1/namespaces/default/pods",
            "/api/v1/namespaces",
            "/apis/apps/v1/namespaces/default/deployments",
            "/apis/kopf.dev/v1/namespaces/default/examples",
            "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
            "/api/v1/namespaces/default/services",
            "/apis/batch/v1/namespaces/default/jobs",
            "/api/v1/namespaces/default/events",
            "/apis/rbac.authorization.k8s.io/v1/clusterroles",
            "/api/v1/namespaces/default/secrets",
            "/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations",
            "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews",
            "/apis/authorization.k8s.io/v1/subjectaccessreviews",
            "/apis/authorization.k8s.io/v1/namespaces/default/localsubjectaccessreviews",
            "/apis/authorization.k8s.io/v1/selfsubjectrulesreviews",
            "/apis/authentication.k8s.io/v1/tokenreviews",
            "/apis/authentication.k8s.io/v1/selfsubjectreviews",
            "/api/v1/namespaces/default/pods/a/proxy",
            "/api/v1/namespaces/default/services/a:80/proxy",
            "/api/v1/nodes/a/proxy",
            "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies",
            "/apis/events.k8s.io/v1/namespaces/default/events");
    private static final List<String> PARAMETERS = List.of(
            "watch=true",
            "limit=3",
            "limit=-1",
            "limit=x",
            "continue=abc",
            "resourceVersion=0",
            "resourceVersion=abc",
            "resourceVersion=99999999999999999999",
            "resourceVersionMatch=Exact",
            "labelSelector=a=b",
            "fieldSelector=x",
            "fieldSelector=metadata.name!=a,metadata.namespace==default",
            "fieldSelector=spec.nodeName=,status.phase!=Running",
            "fieldSelector=source=kubelet,involvedObject.kind=Pod",
            "fieldSelector=reason=a\\=b\\,c",
            "fieldSelector=spec.size=1,spec.list=a",
            "fieldSelector=type==",
            "fieldSelector=%5C",
            "labelSelector=a+notin+(b,c),!d",
            "labelSelector=a%3E1,b%3C2",
            "labelSelector=a%3Ex",
            "labelSelector=a+exists",
            "labelSelector=,",
            "labelSelector=a==b==c",
            "labelSelector=%E4+in+(%00)",
            "includeObject=None",
            "includeObject=Object",
            "includeObject=x",
            "includeObject=None&includeObject=x",
            "command=a&container=b&stdin=x",
            "ports=x",
            "labelSelector=!!",
            "labelSelector=a+in+(",
            "fieldSelector=metadata.name=a",
            "dryRun=All",
            "dryRun=x",
            "fieldManager=f",
            "force=true",
            "fieldValidation=Strict",
            "fieldValidation=x",
            "timeoutSeconds=1",
            "timeoutSeconds=-5",
            "timeoutSeconds=x",
            "sendInitialEvents=true",
            "allowWatchBookmarks=true",
            "propagationPolicy=x",
            "gracePeriodSeconds=x",
            "pretty=true",
            "=",
            "&&",
            "%20=%00");
    private static final List<String> TYPES = List.of(
            "application/json",
            "application/yaml",
            "application/merge-patch+json",
            "application/json-patch+json",
            "application/strategic-merge-patch+json",
            "application/apply-patch+yaml",
            "text/plain",
            "",
            "application/vnd.kubernetes.protobuf",
            "application/json; charset=utf-8",
            "a/b/c",
            ";;");
    private static final List<String> ACCEPTS = List.of(
            "application/json",
            "*/*",
            "application/yaml",
            "application/vnd.kubernetes.protobuf",
            "text/html",
            "",
            "application/json;as=Table;v=v1;g=meta.k8s.io,application/json",
            "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io",
            "application/json;as=X;;;",
            "application/json;as=Table;v=v1beta1;g=meta.k8s.io",
            "application/json;as=Table",
            "application/json;as=Table;v=v2;g=meta.k8s.io",
            "application/json;as=Table;g=apps;v=v1",
            "application/yaml;as=Table;v=v1;g=meta.k8s.io",
            "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io",
            "application/json;as=;v=;g=",
            "application/json;as",
            ",,,");
    private static final List<String> BODIES = List.of(
            "",
            "{}",
            "[]",
            "null",
            "1",
            "\"x\"",
            "{",
            "{\"metadata\":null}",
            "{\"metadata\":{\"name\":1}}",
            "{\"metadata\":{\"name\":\"a\"}}",
            "{\"metadata\":{\"name\":\"a\",\"labels\":[1]}}",
            "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"a\"},\"data\":{\"a\":1}}",
            "{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"metadata\":{\"name\":\"a\"},\"spec\":{\"containers\":"
                    + "[{\"name\":\"c\",\"image\":\"i\",\"ports\":[{\"containerPort\":\"x\"}]}]}}",
            "{\"apiVersion\":\"apps/v1\",\"kind\":\"Deployment\",\"metadata\":{\"name\":\"a\"},\"spec\":{\"replicas\":3,"
                    + "\"selector\":{\"matchLabels\":{\"a\":\"b\"}},\"template\":{\"metadata\":{\"labels\":{\"a\":\"b\"}},"
                    + "\"spec\":{\"containers\":[{\"name\":\"c\",\"image\":\"i\"}]}}}}",
            "{\"apiVersion\":\"kopf.dev/v1\",\"kind\":\"Example\",\"metadata\":{\"name\":\"a\",\"finalizers\":[\"a/b\"]},"
                    + "\"spec\":{\"size\":1,\"list\":[{\"k\":\"a\"},{\"k\":\"a\"}]}}",
            "[{\"op\":\"replace\",\"path\":\"/metadata/labels\",\"value\":{}}]",
            "[{\"op\":\"x\"}]",
            "[{\"op\":\"test\",\"path\":\"/a\",\"value\":1}]",
            "[{\"op\":\"move\",\"from\":\"/spec\",\"path\":\"/spec/a\"}]",
            "{\"metadata\":{\"finalizers\":null,\"ownerReferences\":[{}]}}",
            "{\"spec\":null,\"status\":{\"a\":1}}",
            "a: b\n---\nc: d",
            "a: &x [*x]",
            "{\"$patch\":\"delete\"}",
            "{\"spec\":{\"containers\":[{\"$patch\":\"x\"}]}}",
            "{\"spec\":{\"resourceAttributes\":{\"verb\":\"get\",\"resource\":\"pods\",\"fieldSelector\":{\"rawSelector\":\"a=b\"},"
                    + "\"labelSelector\":{\"requirements\":[{\"key\":\"a\",\"operator\":\"In\"}]}},\"user\":\"u\"}}",
            "{\"spec\":{\"nonResourceAttributes\":{\"path\":1},\"groups\":\"a\",\"extra\":{\"a\":[1]},\"uid\":{}}}",
            "{\"spec\":{\"resourceAttributes\":{},\"nonResourceAttributes\":{},\"user\":null}}",
            "{\"spec\":{\"namespace\":\"default\",\"token\":\"a.b.c\",\"audiences\":[\"\",1,null]}}",
            "{\"spec\":{\"namespace\":{},\"token\":[],\"audiences\":{}}}",
            "{\"kind\":\"AdmissionReview\",\"apiVersion\":\"admission.k8s.io/v1\",\"request\":{\"uid\":1}}",
            "{\"metadata\":{\"name\":\"a\"},\"spec\":{\"validations\":[{\"expression\":\"object.a.b > \"}],\"paramKind\":1,"
                    + "\"matchConstraints\":{\"resourceRules\":[{\"operations\":[\"*\"]}]}}}",
            "{\"metadata\":{\"name\":\"a\"},\"spec\":{\"type\":\"NodePort\",\"clusterIP\":\"10.96.0.999\",\"ports\":[{\"port\":80},"
                    + "{\"port\":80,\"nodePort\":-1}],\"externalIPs\":[\"::\"],\"ipFamilies\":[\"IPv6\"]}}",
            "{\"kind\":\"DeleteOptions\",\"preconditions\":{\"uid\":1}}",
            "[".repeat(5000),
            "{\"a\":".repeat(2000),
            "{\"metadata\":{\"name\":\"a\",\"managedFields\":[{\"manager\":1}]}}",
            "\u0000\u0001");
    private static final String DEFINITION = """
            apiVersion: apiextensions.k8s.io/v1
            kind: CustomResourceDefinition
            metadata: {name: examples.kopf.dev}
            spec:
              group: kopf.dev
              scope: Namespaced
              names: {plural: examples, kind: Example}
              versions:
              - name: v1
                served: true
                storage: true
                subresources: {status: {}, scale: {specReplicasPath: .spec.size, statusReplicasPath: .status.size}}
                schema:
                  openAPIV3Schema:
                    type: object
                    properties:
                      spec:
                        type: object
                        properties:
                          size: {type: integer, minimum: 0, default: 1}
                          list:
                            type: array
                            x-kubernetes-list-type: map
                            x-kubernetes-list-map-keys: [k]
                            items: {type: object, required: [k], properties: {k: {type: string}}}
                        x-kubernetes-validations: [{rule: 'self.size < 10'}]
                      status: {type: object, x-kubernetes-preserve-unknown-fields: true}
            """;

    private final Random random = new Random(SEED);

    private String any(List<String> from) {
        return from.get(random.nextInt(from.size()));
    }

    private String path() {
        StringBuilder path = new StringBuilder();
        if (random.nextInt(10) < 7) {
            path.append(any(COLLECTIONS));
            int more = random.nextInt(3);
            for (int count = 0; count < more; count++) {
                path.append('/').append(random.nextBoolean() ? "a" : any(PARTS));
            }
        } else {
            int parts = random.nextInt(8);
            for (int count = 0; count < parts; count++) {
                path.append('/').append(any(PARTS));
            }
        }
        char mark = '?';
        for (int left = random.nextInt(4); left > 0; left--) {
            path.append(mark).append(any(PARAMETERS));
            mark = '&';
        }
        return path.isEmpty() ? "/" : path.toString();
    }

    private byte[] body() {
        byte[] body = any(BODIES).getBytes(StandardCharsets.UTF_8);
        if (body.length > 0 && random.nextInt(3) == 0) {
            for (int left = 1 + random.nextInt(3); left > 0; left--) {
                body[random.nextInt(body.length)] = (byte) random.nextInt(256);
            }
        }
        return body;
    }

    private ApiRequest request() {
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put("content-type", any(TYPES));
        headers.put("accept", any(ACCEPTS));
        if (random.nextInt(10) == 0) {
            headers.put("authorization", "Bearer " + any(PARTS));
        }
        String method = any(METHODS);
        byte[] body = body();
        ApiRequest request = attempt(method, headers, body);
        while (request == null) {
            request = attempt(method, headers, body);
        }
        return request;
    }

    /** A malformed path is refused before there is a request: see HttpFrontendTest. */
    private @Nullable ApiRequest attempt(String method, Map<String, String> headers, byte[] body) {
        try {
            return ApiRequest.of(method, path(), headers, body);
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    @Test
    @Timeout(600)
    void answersWhateverIsAskedInAnOrderlyWay() {
        VirtualTime time = new VirtualTime();
        ApiServer server = new ApiServer(Options.defaults().clock(time).random(new Random(SEED)), time, "token");
        byte[] definition = DEFINITION.getBytes(StandardCharsets.UTF_8);
        Map<String, String> yaml = Map.of("content-type", "application/yaml");
        server.handle(
                ApiRequest.of("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", yaml, definition));
        time.settle();
        List<String> failures = new ArrayList<>();
        for (int number = 0; number < REQUESTS && failures.size() < 20; number++) {
            ApiRequest request = request();
            try {
                check(server.handle(request), describe(number, request));
            } catch (AssertionError e) {
                failures.add(String.valueOf(e.getMessage()));
            }
            time.settle();
            if (number % 100 == 0) {
                time.advance(Duration.ofSeconds(1));
            }
        }
        assertThat(failures).isEmpty();
        assertThat(server.handle(ApiRequest.of("GET", "/readyz", Map.of(), new byte[0]))
                        .status())
                .isEqualTo(200);
    }

    private static String describe(int number, ApiRequest request) {
        return "request " + number + " of seed " + SEED + ": " + request.method() + " " + request.path() + " "
                + request.query() + " " + request.headers() + "\n" + new String(request.body(), StandardCharsets.UTF_8);
    }

    private static void check(ApiResponse response, String request) {
        assertThat(response.status()).as(request).isBetween(200, 504);
        switch (response.body()) {
            case ApiResponse.Events(WatchStream stream) -> {
                stream.take();
                stream.close();
            }
            case ApiResponse.Pieces(Iterable<byte[]> pieces) ->
                assertThat(pieces).as(request).isNotEmpty();
            case ApiResponse.Whole(byte[] bytes) -> {
                String text = new String(bytes, StandardCharsets.UTF_8);
                assertThat(text).as(request).doesNotContain("Exception", "\tat ");
                if (response.status() >= 400 && response.contentType().equals("application/json")) {
                    JsonNode status = parsed(text, request);
                    assertThat(Json.string(status, "kind")).as(request).isEqualTo("Status");
                    assertThat(Json.string(status, "reason")).as(request + text).isNotEqualTo("InternalError");
                }
            }
            case ApiResponse.Broken() -> throw new AssertionError(request);
        }
    }

    private static JsonNode parsed(String text, String request) {
        try {
            return Json.parse(text);
        } catch (JacksonException e) {
            throw new AssertionError(request + " was answered by no JSON: " + text, e);
        }
    }

    /** Bytes instead of requests: an answer or a closed connection, and the next client is served. */
    @Test
    @Timeout(120)
    void survivesBytesThatAreNoRequests() throws IOException {
        try (DevCluster cluster = DevCluster.start()) {
            int port = URI.create(cluster.url()).getPort();
            for (int number = 0; number < REQUESTS / 10; number++) {
                String valid = "POST /api/v1/namespaces/default/configmaps HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n"
                        + "Content-Type: application/json\r\n\r\n{}";
                byte[] bytes = valid.getBytes(StandardCharsets.ISO_8859_1);
                for (int left = 1 + random.nextInt(4); left > 0; left--) {
                    bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
                }
                try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
                    socket.getOutputStream().write(bytes);
                    socket.shutdownOutput();
                    drain(socket.getInputStream());
                }
            }
            try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
                socket.getOutputStream()
                        .write("GET /readyz HTTP/1.1\r\nConnection: close\r\n\r\n"
                                .getBytes(StandardCharsets.ISO_8859_1));
                assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                        .startsWith("HTTP/1.1 200 OK");
            }
        }
    }

    private static void drain(InputStream in) throws IOException {
        try {
            in.readAllBytes();
        } catch (SocketException e) {
            assertThat(e.getMessage()).contains("reset");
        }
    }
}
