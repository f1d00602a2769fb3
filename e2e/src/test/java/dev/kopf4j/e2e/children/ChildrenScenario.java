package dev.kopf4j.e2e.children;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.Operator;
import dev.kopf4j.OperatorBuilder;
import dev.kopf4j.OperatorHandle;
import dev.kopf4j.devcluster.Options;
import dev.kopf4j.devcluster.api.ApiRequest;
import dev.kopf4j.devcluster.api.ApiResponse;
import dev.kopf4j.engine.OperatorAssembly;
import dev.kopf4j.engine.OperatorPlan;
import dev.kopf4j.engine.tracing.OperatorTrace;
import dev.kopf4j.json.Json;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.SimulatedPlatform;
import dev.kopf4j.virtual.ResponseBytes;
import dev.kopf4j.virtual.SimulatedCluster;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import tools.jackson.databind.node.ObjectNode;

/**
 * A dev cluster and an operator in one simulation, and other clients of the cluster: what happens in an hour takes
 * milliseconds, and the same seed gives the same run.
 */
final class ChildrenScenario implements AutoCloseable {
    static final String WEBSITES = "/apis/kopf.dev/v1/namespaces/default/websites";
    static final String CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";
    static final String DEPLOYMENTS = "/apis/apps/v1/namespaces/default/deployments";
    static final String EVENTS = "/api/v1/namespaces/default/events";
    static final String PODS = "/api/v1/namespaces/default/pods";

    private static final String NOT_ALLOWED = "not allowed here";

    private static final String DEFINITION = """
            apiVersion: apiextensions.k8s.io/v1
            kind: CustomResourceDefinition
            metadata: {name: websites.kopf.dev}
            spec:
              scope: Namespaced
              group: kopf.dev
              names: {kind: Website, plural: websites, singular: website}
              versions:
                - name: v1
                  served: true
                  storage: true
                  subresources: {status: {}}
                  schema:
                    openAPIV3Schema:
                      type: object
                      properties:
                        spec: {type: object, x-kubernetes-preserve-unknown-fields: true}
                        status: {type: object, x-kubernetes-preserve-unknown-fields: true}
            """;

    final SimulatedPlatform world;
    /** What the operators have sent, watches and lists included. */
    final List<ApiRequest> requests = new ArrayList<>();
    /** Holds back what watches tell. */
    final HeldWatches watches = new HeldWatches();

    private final SimulatedCluster cluster;
    private SimulatedPlatform machine;
    private @Nullable OperatorHandle operator;
    private Consumer<ApiRequest> beforeAnswer = request -> {};
    private UnaryOperator<ObjectNode> admission = UnaryOperator.identity();
    private String refused = "";
    private int refusal = 403;
    private String refusalMessage = NOT_ALLOWED;
    private int refusals;
    private int namespaceEndings;

    ChildrenScenario() {
        this(0);
    }

    /** A cluster without an operator. */
    ChildrenScenario(long seed) {
        this(seed, DEFINITION);
    }

    /** A cluster whose websites have no status subresource: each change of their status is a new generation. */
    static ChildrenScenario withoutStatusSubresource() {
        return new ChildrenScenario(0, DEFINITION.replace("{status: {}}", "{}"));
    }

    /** A cluster whose websites are in no namespace. */
    static ChildrenScenario clusterScoped() {
        return new ChildrenScenario(0, DEFINITION.replace("scope: Namespaced", "scope: Cluster"));
    }

    private ChildrenScenario(long seed, String definition) {
        world = new SimulatedPlatform(seed, Instant.parse("2026-01-01T00:00:00Z"));
        machine = world.machine("first");
        cluster = new SimulatedCluster(world, Options.defaults());
        create("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", yaml(definition));
        pass(Duration.ofSeconds(1));
    }

    static ObjectNode yaml(String text) {
        return (ObjectNode) Json.fromJava(new Load(LoadSettings.builder().build()).loadFromString(text));
    }

    ChildrenScenario start(UnaryOperator<OperatorBuilder> handlers) {
        OperatorBuilder builder = handlers.apply(Operator.builder().clusterwide());
        operator = OperatorAssembly.assemble(
                        OperatorPlan.of(builder),
                        cluster.environment(
                                machine,
                                UnaryOperator.identity(),
                                this::exchange,
                                cluster.adminToken(),
                                OperatorTrace.NONE))
                .start();
        return pass(Duration.ofSeconds(2));
    }

    private ApiResponse exchange(SimulatedPlatform client, ApiRequest request) throws InterruptedException {
        // Others may come first, and a machine that was killed sends nothing.
        client.monitor().awaitTrue(() -> true, Deadline.NEVER);
        requests.add(request);
        ApiResponse response = isRefused(request)
                ? refusal()
                : watches.holding(request, cluster.server().handle(admitted(request)));
        if (response.status() == 403
                && new String(ResponseBytes.body(response), StandardCharsets.UTF_8).contains("NamespaceTerminating")) {
            namespaceEndings++;
        }
        client.monitor().awaitTrue(() -> true, Deadline.NEVER);
        beforeAnswer.accept(request);
        return response;
    }

    /** From now on, what operators apply is changed so before it is stored. */
    void admit(UnaryOperator<ObjectNode> change) {
        admission = change;
    }

    private ApiRequest admitted(ApiRequest request) {
        boolean applied = request.headers().getOrDefault("content-type", "").contains("apply-patch");
        return applied
                ? new ApiRequest(
                        request.method(),
                        request.path(),
                        request.query(),
                        request.headers(),
                        Json.bytes(admission.apply(Json.parseObject(request.body()))),
                        request.identity())
                : request;
    }

    /** From now on, operators may not use that resource; nothing is refused for an empty text. */
    void refuse(String plural) {
        refused = plural;
        refusal = 403;
        refusalMessage = NOT_ALLOWED;
    }

    /** From now on, each change that operators make of objects of that resource fails with the status. */
    void failChanges(String plural, int status) {
        failChanges(plural, status, NOT_ALLOWED);
    }

    /** The same, with what the server says. */
    void failChanges(String plural, int status, String message) {
        refused = "/" + plural + "/";
        refusal = status;
        refusalMessage = message;
    }

    private boolean isRefused(ApiRequest request) {
        if (refused.isEmpty()) {
            return false;
        }
        return refused.endsWith("/")
                ? request.path().contains(refused) && !request.method().equals("GET")
                : request.path().endsWith(refused);
    }

    /** How many requests were refused since this was asked last. */
    int refusals() {
        int count = refusals;
        refusals = 0;
        return count;
    }

    /** How often an operator was told that a namespace is being deleted, where it wanted to make something. */
    int namespaceEndings() {
        return namespaceEndings;
    }

    private ApiResponse refusal() {
        refusals++;
        String status = "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"status\":\"Failure\",\"reason\":\"Refused\","
                + "\"message\":\"" + refusalMessage + "\",\"code\":" + refusal + "}";
        return ApiResponse.whole(refusal, "application/json", status.getBytes(StandardCharsets.UTF_8));
    }

    /** The server forgets what was: a watch that comes back has to list. */
    void compact() {
        cluster.server().compact();
    }

    /** For who is within the operator. */
    void sleep(Duration time) {
        try {
            machine.sleep(time);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** What happens between what the server does for an operator and its answer. */
    void beforeAnswers(Consumer<ApiRequest> happens) {
        beforeAnswer = happens;
    }

    ChildrenScenario stop() {
        if (operator != null) {
            operator.stop();
            pass(Duration.ofSeconds(10));
        }
        operator = null;
        machine = world.machine("next");
        return this;
    }

    /** Ends the operator as SIGKILL does. */
    ChildrenScenario kill() {
        machine.kill();
        operator = null;
        pass(Duration.ofSeconds(1));
        machine = world.machine("next");
        return this;
    }

    ChildrenScenario pass(Duration time) {
        world.runFor(time);
        return this;
    }

    ChildrenScenario rest() {
        return pass(Duration.ofSeconds(2));
    }

    /** The requests that change something since the last call. */
    List<String> changes() {
        List<String> found = requests.stream()
                .filter(request -> !request.method().equals("GET"))
                .filter(request -> !request.path().contains("/events"))
                .map(request -> request.method() + " " + request.path())
                .toList();
        requests.clear();
        return found;
    }

    ObjectNode website(String name, String spec) {
        return create(
                WEBSITES,
                yaml("{apiVersion: kopf.dev/v1, kind: Website, metadata: {name: " + name + "}, spec: " + spec + "}"));
    }

    ObjectNode create(String collection, ObjectNode object) {
        return expect(201, request("POST", collection + "?fieldManager=test", "application/json", Json.bytes(object)));
    }

    /** As {@code kubectl edit} does. */
    ObjectNode edit(String path, String patch) {
        return patch(path + "?fieldManager=kubectl-edit", "application/merge-patch+json", patch);
    }

    ObjectNode patch(String path, String type, String patch) {
        return expect(200, request("PATCH", path, type, Json.bytes(yaml(patch))));
    }

    /** As {@code kubectl apply --server-side --force-conflicts} does. */
    ObjectNode apply(String path, String manager, String configuration) {
        return expect(
                Set.of(200, 201),
                request(
                        "PATCH",
                        path + "?force=true&fieldManager=" + manager,
                        "application/apply-patch+yaml",
                        configuration.getBytes(StandardCharsets.UTF_8)));
    }

    /** As {@code kubectl replace} does. */
    ObjectNode replace(String path, String object) {
        return expect(
                200,
                request("PUT", path + "?fieldManager=kubectl-replace", "application/json", Json.bytes(yaml(object))));
    }

    void delete(String path) {
        expect(200, request("DELETE", path, "application/json", new byte[0]));
    }

    /** The object; null if there is none. */
    @Nullable ObjectNode find(String path) {
        ApiResponse response = request("GET", path, "application/json", new byte[0]);
        return response.status() == 404 ? null : expect(200, response);
    }

    ObjectNode get(String path) {
        return expect(200, request("GET", path, "application/json", new byte[0]));
    }

    List<ObjectNode> list(String path) {
        return get(path).path("items").valueStream().map(ObjectNode.class::cast).toList();
    }

    /** The condition of a website, as {@code status reason message}; empty if it has none. */
    String condition(String website) {
        return get(WEBSITES + "/" + website)
                .path("status")
                .path("conditions")
                .valueStream()
                .filter(each -> each.path("type").asString("").equals("Ready"))
                .map(each -> each.path("status").asString() + " "
                        + each.path("reason").asString() + " "
                        + each.path("message").asString())
                .findFirst()
                .orElse("");
    }

    private ApiResponse request(String method, String path, String type, byte[] body) {
        Map<String, String> headers = new HashMap<>();
        headers.put("Authorization", "Bearer " + cluster.adminToken());
        headers.put("Content-Type", type);
        return cluster.server().handle(ApiRequest.of(method, path, headers, body));
    }

    private static ObjectNode expect(int status, ApiResponse response) {
        return expect(Set.of(status), response);
    }

    private static ObjectNode expect(Set<Integer> statuses, ApiResponse response) {
        byte[] body = ResponseBytes.body(response);
        assertThat(response.status())
                .as(new String(body, StandardCharsets.UTF_8))
                .isIn(statuses);
        return Json.parseObject(body);
    }

    @Override
    public void close() {
        stop();
        cluster.server().close();
    }
}
