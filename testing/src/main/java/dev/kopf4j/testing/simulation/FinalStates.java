package dev.kopf4j.testing.simulation;

import dev.kopf4j.HandlerKind;
import dev.kopf4j.Resource;
import dev.kopf4j.devcluster.api.ApiRequest;
import dev.kopf4j.devcluster.api.ApiResponse;
import dev.kopf4j.engine.cause.Finalizer;
import dev.kopf4j.engine.declaration.DeclaredOptions;
import dev.kopf4j.engine.declaration.HandlerRegistry;
import dev.kopf4j.engine.declaration.RegisteredHandler;
import dev.kopf4j.json.Json;
import dev.kopf4j.persistence.progress.ProgressRecord;
import dev.kopf4j.testing.recording.RecordedCall;
import dev.kopf4j.testing.recording.Recording;
import dev.kopf4j.testing.recording.WatchedResource;
import java.io.ByteArrayOutputStream;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Compares what handlers have seen with what is on the cluster in the end. Handlers of updates without filters have to
 * have seen, or a creation handler of the same object, the last change that somebody else has made; what the operator
 * has written itself does not count. Where a handler asks for each creation, some handler of changes has to have been
 * called for each object that somebody else has made.
 *
 * <p>One case does not count, as in Kopf: a change while a handler has ended and others have not, if the operator
 * starts anew before these have; what the handler has seen is known in memory only. Confined to the simulation.
 */
final class FinalStates {
    /** An object that is on the cluster, of a resource that an operator watches. */
    private record Found(Resource resource, ObjectNode object) {}

    private final Recording recording;
    private final Function<ApiRequest, ApiResponse> server;
    private final String token;
    private final HandlerRegistry registry;
    private final StoredMarks marks;
    private final Map<String, ObjectNode> lastByOthers = new HashMap<>();
    /** By uid, the handlers that had ended, and others had not, when the last change by others came. */
    private final Map<String, Set<String>> endedBefore = new HashMap<>();

    private Instant lastStart = Instant.MIN;

    FinalStates(
            Recording recording,
            Function<ApiRequest, ApiResponse> server,
            String token,
            HandlerRegistry registry,
            StoredMarks marks) {
        this.recording = recording;
        this.server = server;
        this.token = token;
        this.registry = registry;
        this.marks = marks;
    }

    /** Remembers what others than operators write. */
    void answered(ApiRequest request, ApiResponse response) {
        boolean byOperator = request.header("User-Agent").orElse("").startsWith("kopf4j/");
        if (byOperator
                || request.method().equals("GET")
                || request.query().containsKey("dryRun")
                || response.status() >= 300
                || !(response.body() instanceof ApiResponse.Whole(byte[] bytes))) {
            return;
        }
        if (Json.parse(bytes) instanceof ObjectNode answer
                && answer.path("metadata").has("uid")) {
            String uid = uid(answer);
            ObjectNode object = asWatched(request, answer);
            lastByOthers.put(uid, object);
            endedBefore.put(uid, ended(object));
        }
    }

    /** What is written in another version, or by a subresource such as {@code scale}, is read as operators see it. */
    private ObjectNode asWatched(ApiRequest request, ObjectNode answer) {
        List<Resource> all = recording.look(() -> recording.objects().watched()).stream()
                .map(WatchedResource::resource)
                .toList();
        return all.stream().anyMatch(resource -> isOf(resource, answer))
                ? answer
                : all.stream()
                        .filter(resource -> isFor(resource, request))
                        .findFirst()
                        .flatMap(resource -> read(resource, answer))
                        .orElse(answer);
    }

    private static boolean isOf(Resource resource, ObjectNode object) {
        return object.path("apiVersion").asString("").equals(resource.apiVersion())
                && object.path("kind").asString("").equals(resource.kind());
    }

    /** In whatever version. */
    private static boolean isFor(Resource resource, ApiRequest request) {
        String group = resource.group().isEmpty() ? "/api/" : "/apis/" + Pattern.quote(resource.group()) + "/";
        return request.path()
                .matches(group + "[^/]+/(namespaces/[^/]+/)?" + Pattern.quote(resource.plural()) + "(/.*)?");
    }

    private Optional<ObjectNode> read(Resource resource, ObjectNode answer) {
        JsonNode meta = answer.path("metadata");
        String namespace = resource.namespaced() ? meta.path("namespace").asString("") : null;
        ApiResponse response = get(resource.url(namespace, meta.path("name").asString(""), null, Map.of()));
        return response.status() == 200 && Json.parse(bytes(response)) instanceof ObjectNode object
                ? Optional.of(object)
                : Optional.empty();
    }

    private ApiResponse get(String path) {
        return server.apply(ApiRequest.of("GET", path, Map.of("Authorization", "Bearer " + token), new byte[0]));
    }

    /** A replica of the operator has started. */
    void started(Instant now) {
        lastStart = now;
    }

    private Set<String> ended(ObjectNode object) {
        Set<String> ended = new HashSet<>();
        for (RegisteredHandler handler : registry.handlers()) {
            ProgressRecord record = marks.progress(handler.id(), object);
            if (record != null && (record.success() || record.failure())) {
                ended.add(handler.id());
            }
        }
        return ended;
    }

    /** True if it had ended before the last change by others, and an operator has started after its end. */
    private boolean isForgotten(String uid, RegisteredHandler handler, List<RecordedCall> calls) {
        return endedBefore.getOrDefault(uid, Set.of()).contains(handler.id())
                && calls.stream()
                        .filter(call -> call.handler().equals(handler.id()))
                        .flatMap(call -> call.end().stream())
                        .allMatch(end -> end.at().isBefore(lastStart));
    }

    /** The first of these calls whose object is still there, and not paused. */
    Optional<RecordedCall> unfinished(Predicate<RecordedCall> which) {
        List<RecordedCall> running = recording.calls().stream().filter(which).toList();
        Set<String> existing = running.isEmpty()
                ? Set.of()
                : found().stream()
                        .map(Found::object)
                        .filter(object -> !marks.isPaused(object))
                        .map(FinalStates::uid)
                        .collect(Collectors.toSet());
        return running.stream().filter(call -> existing.contains(call.uid())).findFirst();
    }

    /** An object whose creation nobody was called for, or whose last change a handler has not seen. */
    Optional<String> unseen() {
        for (Found each : found()) {
            Optional<String> found = uncreated(each).or(() -> unseen(each));
            if (found.isPresent()) {
                return found;
            }
        }
        return Optional.empty();
    }

    /** Others have made it, a handler without filters asks for creations, and no handler of changes was ever called. */
    private Optional<String> uncreated(Found found) {
        ObjectNode object = found.object();
        String uid = uid(object);
        if (!lastByOthers.containsKey(uid)
                || object.path("metadata").has("deletionTimestamp")
                || marks.isPaused(object)
                || !calls(uid).isEmpty()) {
            return Optional.empty();
        }
        return registry.watching(found.resource()).stream()
                .filter(FinalStates::seesEachCreation)
                .findFirst()
                .map(handler -> "'" + handler.id() + "' was not called for the creation of "
                        + object.path("metadata").path("name").asString("") + ", nor any other handler of changes");
    }

    private static boolean seesEachCreation(RegisteredHandler handler) {
        return handler.kind() == HandlerKind.CREATE && hasNoFilters(handler.options());
    }

    private Optional<String> unseen(Found found) {
        ObjectNode object = found.object();
        String uid = uid(object);
        ObjectNode last = lastByOthers.get(uid);
        List<RecordedCall> calls = calls(uid);
        if (last == null
                || !isOf(found.resource(), last)
                || calls.isEmpty()
                || object.path("metadata").has("deletionTimestamp")
                || marks.isPaused(object)) {
            return Optional.empty();
        }
        return registry.handlers().stream()
                .filter(FinalStates::seesEachUpdate)
                .filter(handler -> calls.stream()
                        .anyMatch(call ->
                                registry.of(call.context().resource()).changes().contains(handler)))
                .filter(handler -> calls.stream().noneMatch(call -> hasSeen(call, handler, last, object)))
                .filter(handler -> !isForgotten(uid, handler, calls))
                .findFirst()
                .map(handler -> "'" + handler.id() + "' was not called for the last change of "
                        + object.path("metadata").path("name").asString("") + ", " + marks.essence(last));
    }

    private List<RecordedCall> calls(String uid) {
        return recording.calls().stream()
                .filter(call -> call.uid().equals(uid) && call.kind().isOfChange())
                .toList();
    }

    private static String uid(ObjectNode object) {
        return object.path("metadata").path("uid").asString("");
    }

    private static boolean seesEachUpdate(RegisteredHandler handler) {
        return handler.kind() == HandlerKind.UPDATE && hasNoFilters(handler.options());
    }

    private static boolean hasNoFilters(DeclaredOptions filters) {
        return filters.labels().isEmpty()
                && filters.annotations().isEmpty()
                && filters.when().isEmpty()
                && filters.field().isEmpty()
                && filters.value() == null
                && filters.oldValue() == null
                && filters.newValue() == null;
    }

    /** Its own call, or that of a creation: then there was nothing to update. */
    private boolean hasSeen(RecordedCall call, RegisteredHandler handler, ObjectNode last, ObjectNode now) {
        boolean counts = call.handler().equals(handler.id())
                || call.kind() == HandlerKind.CREATE
                || call.kind() == HandlerKind.RESUME;
        ObjectNode seen = seen(call);
        return counts
                && call.end().isPresent()
                && (isTracked(now)
                        ? ofOthers(seen, last, now).equals(ofOthers(marks.essence(last), last, now))
                        : includes(seen, marks.essence(last)));
    }

    /** The server notes nobody's fields of an object that was made without any. */
    private static boolean isTracked(ObjectNode object) {
        return object.path("metadata").has("managedFields");
    }

    /** The operator may have added fields of its own. */
    private static boolean includes(JsonNode seen, JsonNode last) {
        return last instanceof ObjectNode fields
                ? fields.properties().stream().allMatch(field -> includes(seen.path(field.getKey()), field.getValue()))
                : seen.equals(last);
    }

    /**
     * Without the fields that the operator has written itself, as the server has noted it then or now: it may have
     * removed them since.
     */
    private static ObjectNode ofOthers(ObjectNode essence, ObjectNode then, ObjectNode now) {
        ObjectNode left = essence.deepCopy();
        for (ObjectNode body : List.of(then, now)) {
            for (JsonNode entry : body.path("metadata").path("managedFields")) {
                if (entry.path("manager").asString("").startsWith("kopf4j")
                        && entry.path("fieldsV1") instanceof ObjectNode owned) {
                    remove(left, owned);
                }
            }
        }
        return left;
    }

    private static void remove(ObjectNode from, ObjectNode owned) {
        for (Map.Entry<String, JsonNode> field : owned.properties()) {
            String key = field.getKey().startsWith("f:") ? field.getKey().substring(2) : "";
            if (field.getValue().isEmpty()) {
                from.remove(key);
            } else if (from.get(key) instanceof ObjectNode inner && field.getValue() instanceof ObjectNode below) {
                remove(inner, below);
                if (inner.isEmpty()) {
                    from.remove(key);
                }
            }
        }
    }

    private ObjectNode seen(RecordedCall call) {
        return marks.essence((ObjectNode) Json.fromJava(call.body().toMap()));
    }

    /** An object that is being deleted, and has the operator's finalizer. */
    Optional<String> held() {
        Finalizer finalizer = marks.finalizer();
        return found().stream()
                .map(Found::object)
                .filter(object -> object.path("metadata").has("deletionTimestamp") && finalizer.isOn(object))
                .findFirst()
                .map(object -> object.path("kind").asString("object") + " "
                        + object.path("metadata").path("name").asString("") + " is held by " + finalizer.name());
    }

    private List<Found> found() {
        List<Found> found = new ArrayList<>();
        for (WatchedResource watched : recording.look(() -> recording.objects().watched())) {
            String path = watched.resource().url(watched.namespace().orElse(null), null, null, Map.of());
            for (JsonNode item : Json.parse(bytes(get(path))).path("items")) {
                found.add(new Found(watched.resource(), (ObjectNode) item));
            }
        }
        return found;
    }

    private static byte[] bytes(ApiResponse response) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        switch (response.body()) {
            case ApiResponse.Whole(byte[] bytes) -> all.writeBytes(bytes);
            case ApiResponse.Pieces(Iterable<byte[]> pieces) -> pieces.forEach(all::writeBytes);
            case ApiResponse.Events _, ApiResponse.Broken _ -> {}
        }
        return all.toByteArray();
    }
}
