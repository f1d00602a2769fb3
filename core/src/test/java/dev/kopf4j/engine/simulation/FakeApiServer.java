package dev.kopf4j.engine.simulation;

import dev.kopf4j.client.transport.PushedResponseStream;
import dev.kopf4j.client.transport.ResponseStream;
import dev.kopf4j.client.transport.Transport;
import dev.kopf4j.client.transport.TransportRequest;
import dev.kopf4j.client.transport.TransportResponse;
import dev.kopf4j.json.FieldPath;
import dev.kopf4j.json.Json;
import dev.kopf4j.json.JsonEquality;
import dev.kopf4j.json.JsonPatch;
import dev.kopf4j.json.MergePatch;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.Platform;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A small API server of one resource: each real change makes a version, DELETED keeps its version. Tests can hold back
 * events, and can let requests fail. In simulated time.
 */
public final class FakeApiServer {
    public static final String COLLECTION = "/apis/kopf.dev/v1/kopfexamples";
    private static final String OBJECTS = "/apis/kopf.dev/v1/namespaces/ns/kopfexamples/";

    private final Platform platform;
    private boolean statusSubresource;
    private boolean statusLost;
    private final Map<String, ObjectNode> objects = new LinkedHashMap<>();
    private final List<Event> history = new ArrayList<>();
    private final List<PushedResponseStream> watches = new ArrayList<>();
    private final List<Event> held = new ArrayList<>();
    private final List<Request> patches = new ArrayList<>();
    private final List<JsonNode> events = new ArrayList<>();
    private final List<FieldPath> pruned = new ArrayList<>();
    private final ListSnapshots snapshots = new ListSnapshots();
    private Faults faults = Faults.NONE;
    private Consumer<ObjectNode> admission = _ -> {};
    private @Nullable String refused;
    private boolean holding;
    private boolean unavailable;
    private long version = 100;
    private int listed;
    private int conflicts;

    public FakeApiServer(Platform platform, boolean statusSubresource) {
        this.platform = platform;
        this.statusSubresource = statusSubresource;
    }

    /** A PATCH as it has arrived. */
    public record Request(String path, String type, JsonNode body) {}

    private record Event(String type, long version, ObjectNode object) {}

    /** What goes wrong, and when. */
    public interface Faults {
        Faults NONE = new Faults() {};

        /** Before a request is looked at. */
        default void before(TransportRequest transportRequest) throws IOException, InterruptedException {}

        /** The answer to a request that the server does not do; null if it does it. */
        default @Nullable TransportResponse instead(TransportRequest transportRequest) {
            return null;
        }

        /** After a request was done, before it is answered. */
        default void after(TransportRequest transportRequest) throws IOException, InterruptedException {}
    }

    /** From now on no object is valid that has this field. */
    public void refuse(String field) {
        this.refused = field;
    }

    public void faults(Faults newFaults) {
        this.faults = newFaults;
    }

    /** What a webhook makes of each object that is patched. */
    public void admission(Consumer<ObjectNode> mutation) {
        this.admission = mutation;
    }

    /** The schema does not know this field: it is dropped from whatever is patched. */
    public void prune(String path) {
        pruned.add(FieldPath.parse(path));
    }

    /** The schema knows all fields. */
    public void pruneNothing() {
        pruned.clear();
    }

    public List<Request> patches() {
        return List.copyOf(patches);
    }

    /** How many patches were refused as they name another version than the object has. */
    public int conflicts() {
        return conflicts;
    }

    /** The Kubernetes events that were posted. */
    public List<JsonNode> events() {
        return List.copyOf(events);
    }

    public int listCount() {
        return listed;
    }

    public ObjectNode object(String name) {
        ObjectNode found = objects.get(name);
        if (found == null) {
            throw new AssertionError("there is no object " + name + "; there are " + objects.keySet());
        }
        return found.deepCopy();
    }

    public boolean exists(String name) {
        return objects.containsKey(name);
    }

    /** Somebody creates an object. */
    public void create(ObjectNode object) {
        String name = object.path("metadata").path("name").asString();
        if (objects.containsKey(name)) {
            throw new AssertionError("exists already: " + name);
        }
        store("ADDED", name, object.deepCopy());
    }

    /** Somebody changes an object. */
    public void change(String name, String path, @Nullable Object value) {
        change(name, FieldPath.parse(path), value);
    }

    /** Somebody sets an annotation, or removes it by null. */
    public void annotate(String name, String annotation, @Nullable String value) {
        change(name, FieldPath.of("metadata", "annotations", annotation), value);
    }

    private void change(String name, FieldPath field, @Nullable Object value) {
        ObjectNode changed = object(name);
        if (value == null) {
            field.remove(changed);
        } else {
            field.ensure(changed, Json.fromJava(value));
        }
        store("MODIFIED", name, changed);
    }

    /** Somebody requests the deletion of an object. */
    public void delete(String name) {
        ObjectNode object = object(name);
        if (object.path("metadata").path("finalizers").isEmpty()) {
            remove(name, object);
        } else if (!object.path("metadata").has("deletionTimestamp")) {
            change(name, "metadata.deletionTimestamp", "2024-01-01T00:00:00Z");
        }
    }

    /** Holds events back until they are released. */
    public void hold() {
        holding = true;
    }

    public void release() {
        holding = false;
        List<Event> late = List.copyOf(held);
        held.clear();
        late.forEach(this::send);
    }

    /** An event tells another state of an object than the server has, also while events are held back. */
    public void pretend(ObjectNode state) {
        version++;
        ((ObjectNode) state.get("metadata")).put("resourceVersion", "restored-" + version);
        send(new Event("MODIFIED", version, state));
    }

    /** All that has happened is sent once more, as confused servers do. */
    public void replay() {
        List.copyOf(history).forEach(this::send);
    }

    /** Nothing of what has happened is kept: neither events nor requests. */
    public void forgetHistory() {
        history.clear();
        patches.clear();
    }

    /** The first thing that has happened is sent once more. */
    public void replayFirst() {
        send(history.getFirst());
    }

    /** The server of the resource's API group does not answer, or does again. */
    public void unavailable(boolean down) {
        this.unavailable = down;
    }

    /** All watches end, as they do from time to time. */
    public void endWatches() {
        List.copyOf(watches).forEach(PushedResponseStream::end);
        watches.clear();
    }

    /** The definition has changed: an object is read in another way, in the same version, and all watches expire. */
    public void readFromNowOn(ObjectNode state) {
        objects.put(state.path("metadata").path("name").asString(), state.deepCopy());
        ObjectNode expired =
                Json.object().put("kind", "Status").put("code", 410).put("reason", "Expired");
        List.copyOf(watches).forEach(watch -> feed(watch, new Event("ERROR", version, expired)));
        endWatches();
    }

    private void store(String type, String name, ObjectNode object) {
        version++;
        ((ObjectNode) object.get("metadata")).put("resourceVersion", Long.toString(version));
        objects.put(name, object);
        publish(new Event(type, version, object.deepCopy()));
    }

    private void remove(String name, ObjectNode last) {
        objects.remove(name);
        publish(new Event("DELETED", version, last.deepCopy()));
    }

    private void publish(Event event) {
        history.add(event);
        if (holding) {
            held.add(event);
        } else {
            send(event);
        }
    }

    private void send(Event event) {
        watches.forEach(watch -> feed(watch, event));
    }

    private static void feed(PushedResponseStream watch, Event event) {
        ObjectNode line = Json.object().put("type", event.type());
        line.set("object", event.object());
        byte[] bytes = (Json.text(line) + "\n").getBytes(java.nio.charset.StandardCharsets.UTF_8);
        watch.feed(ByteBuffer.wrap(bytes));
    }

    /** A way to this server for one operator; breaks when the operator's machine is killed. */
    public Transport transport(Platform client) {
        return new Transport() {
            @Override
            public TransportResponse send(TransportRequest transportRequest, Deadline deadline)
                    throws IOException, InterruptedException {
                client.monitor().awaitTrue(() -> true, Deadline.NEVER);
                faults.before(transportRequest);
                TransportResponse instead = faults.instead(transportRequest);
                if (instead != null) {
                    return instead;
                }
                TransportResponse transportResponse = answer(transportRequest);
                faults.after(transportRequest);
                return transportResponse;
            }

            @Override
            public ResponseStream open(TransportRequest transportRequest, Deadline headersBy)
                    throws IOException, InterruptedException {
                client.monitor().awaitTrue(() -> true, Deadline.NEVER);
                faults.before(transportRequest);
                return transportRequest.isWatch() ? watch(client, transportRequest) : listed(client, transportRequest);
            }

            @Override
            public void close() {
                // Streams end with their readers.
            }
        };
    }

    private ResponseStream watch(Platform client, TransportRequest transportRequest) {
        PushedResponseStream stream =
                new PushedResponseStream(client, 200, Map.of(), PushedResponseStream.ChunkProducer.NONE);
        if (transportRequest.path().startsWith(COLLECTION)) {
            long from = Long.parseLong(transportRequest.path().replaceAll(".*resourceVersion=(\\d+).*", "$1"));
            history.stream()
                    .filter(event -> event.version() > from && !held.contains(event))
                    .forEach(event -> feed(stream, event));
            watches.add(stream);
            return new PlannedWatch(client, transportRequest, stream, () -> watches.contains(stream));
        }
        return new PlannedWatch(client, transportRequest, stream, () -> true);
    }

    /**
     * A watch that ends when the client has asked for, as API servers end them.
     *
     * @param isAlive false if the connection is dead, so that no end comes through
     */
    record PlannedWatch(Platform client, ResponseStream stream, Deadline end, BooleanSupplier isAlive)
            implements ResponseStream {
        private static final Pattern TIMEOUT = Pattern.compile(".*[?&]timeoutSeconds=(\\d+).*");

        PlannedWatch(Platform client, TransportRequest request, ResponseStream stream, BooleanSupplier isAlive) {
            this(client, stream, end(client, request.path()), isAlive);
        }

        private static Deadline end(Platform client, String path) {
            Matcher timeout = TIMEOUT.matcher(path);
            return timeout.matches()
                    ? client.after(Duration.ofSeconds(Long.parseLong(timeout.group(1))))
                    : Deadline.NEVER;
        }

        @Override
        public int status() {
            return stream.status();
        }

        @Override
        public @Nullable String header(String name) {
            return stream.header(name);
        }

        @Override
        public byte @Nullable [] nextLine(Deadline deadline) throws IOException, InterruptedException {
            try {
                return stream.nextLine(deadline.orEarlier(end));
            } catch (StreamIdleException e) {
                if (deadline.hasPassed(client) || !end.hasPassed(client)) {
                    throw e;
                }
                return isAlive.getAsBoolean() ? null : stream.nextLine(deadline);
            }
        }

        @Override
        public InputStream body(Duration idleEach) {
            return stream.body(idleEach);
        }

        @Override
        public void close() {
            stream.close();
        }
    }

    private ResponseStream listed(Platform client, TransportRequest transportRequest) {
        TransportResponse transportResponse = answer(transportRequest);
        PushedResponseStream stream = new PushedResponseStream(
                client,
                transportResponse.status(),
                transportResponse.headers(),
                PushedResponseStream.ChunkProducer.NONE);
        stream.feed(ByteBuffer.wrap(transportResponse.body()));
        stream.end();
        return stream;
    }

    private TransportResponse answer(TransportRequest transportRequest) {
        String path = transportRequest.path().replaceAll("\\?.*", "");
        if (transportRequest.method().equals("POST") && path.endsWith("/events")) {
            events.add(Json.parse(java.util.Objects.requireNonNull(transportRequest.body())));
            return json(201, "{'kind':'Event','metadata':{'name':'event-" + events.size() + "'}}");
        }
        if (transportRequest.method().equals("PATCH")) {
            return patch(transportRequest, path);
        }
        return switch (path) {
            case "/version" -> json(200, "{'major':'1','minor':'33','gitVersion':'v1.33.0'}");
            case "/api" -> json(200, "{'kind':'APIVersions','versions':['v1']}");
            case "/api/v1" -> json(200, "{'kind':'APIResourceList','groupVersion':'v1','resources':[]}");
            case "/apis" ->
                json(
                        200,
                        "{'kind':'APIGroupList','groups':[{'name':'kopf.dev','versions':[{'groupVersion':'kopf.dev/v1',"
                                + "'version':'v1'}],'preferredVersion':{'groupVersion':'kopf.dev/v1','version':'v1'}}]}");
            case "/apis/kopf.dev/v1" ->
                unavailable ? status(503, "ServiceUnavailable", "down") : json(200, resources());
            case COLLECTION -> list(transportRequest.path());
            case "/apis/apiextensions.k8s.io/v1/customresourcedefinitions" ->
                json(200, "{'kind':'CustomResourceDefinitionList','metadata':{'resourceVersion':'1'},'items':[]}");
            default -> status(404, "NotFound", path + " is not served");
        };
    }

    private String resources() {
        String verbs = "'verbs':['create','delete','get','list','patch','update','watch']";
        String main = "{'name':'kopfexamples','singularName':'kopfexample','namespaced':true,'kind':'KopfExample',"
                + verbs + ",'shortNames':['kex']}";
        String status = ",{'name':'kopfexamples/status','singularName':'','namespaced':true,'kind':'KopfExample',"
                + verbs + "}";
        return "{'kind':'APIResourceList','groupVersion':'kopf.dev/v1','resources':[" + main
                + (statusSubresource ? status : "") + "]}";
    }

    private TransportResponse list(String path) {
        listed += ListSnapshots.isFirst(path) ? 1 : 0;
        ObjectNode list = snapshots.page(path, version, objects.values());
        return new TransportResponse(200, Map.of("Content-Type", List.of("application/json")), Json.bytes(list));
    }

    private TransportResponse patch(TransportRequest transportRequest, String path) {
        String name = path.replace(OBJECTS, "").replace("/status", "");
        String type = transportRequest.headers().getOrDefault("Content-Type", "");
        JsonNode payload = Json.parse(java.util.Objects.requireNonNull(transportRequest.body()));
        patches.add(new Request(path, type.replace("application/", ""), payload));
        ObjectNode before = objects.get(name);
        if (before == null || (statusLost && path.endsWith("/status"))) {
            return status(404, "NotFound", "kopfexamples.kopf.dev \"" + name + "\" not found");
        }
        try {
            return new TransportResponse(
                    200,
                    Map.of("Content-Type", List.of("application/json")),
                    Json.bytes(change(name, before, patched(before, payload, path.endsWith("/status")))));
        } catch (JsonPatch.Failed e) {
            return status(
                    422,
                    "Invalid",
                    "the server rejected our request due to an error in our request: " + e.getMessage());
        } catch (IllegalArgumentException e) {
            return status(422, "Invalid", String.valueOf(e.getMessage()));
        } catch (IllegalStateException e) {
            conflicts++;
            return status(409, "Conflict", String.valueOf(e.getMessage()));
        }
    }

    private ObjectNode patched(ObjectNode before, JsonNode payload, boolean status) {
        ObjectNode after = payload instanceof ArrayNode operations
                ? (ObjectNode) JsonPatch.apply(before, operations, kept -> kept)
                : MergePatch.apply(before, (ObjectNode) payload);
        pruned.forEach(field -> field.remove(after));
        admission.accept(after);
        checkIdentity(before, after, status && statusSubresource);
        if (refused != null && FieldPath.parse(refused).isPresentIn(after)) {
            throw new IllegalArgumentException("KopfExample \"x\" is invalid: " + refused + ": Forbidden: not allowed");
        }
        if (annotationBytes(after) > 256 * 1024) {
            throw new IllegalArgumentException("metadata.annotations: Too long: may not be more than 262144 bytes");
        }
        if (!statusSubresource) {
            return after;
        }
        ObjectNode result = (status ? before : after).deepCopy();
        JsonNode kept = (status ? after : before).get("status");
        if (kept == null) {
            result.remove("status");
        } else {
            result.set("status", kept);
        }
        return result;
    }

    /** A change of the status may name any uid, as on a real server, which drops the metadata of such a change. */
    private static void checkIdentity(ObjectNode before, ObjectNode after, boolean ofStatus) {
        JsonNode known = before.path("metadata");
        JsonNode given = after.path("metadata");
        if (!ofStatus && !JsonEquality.equal(known.path("uid"), given.path("uid"))) {
            throw new IllegalArgumentException("metadata.uid: Invalid value: field is immutable");
        }
        if (given.hasNonNull("resourceVersion")
                && !JsonEquality.equal(known.path("resourceVersion"), given.path("resourceVersion"))) {
            throw new IllegalStateException("the object has been modified");
        }
    }

    private static long annotationBytes(ObjectNode object) {
        return object.path("metadata")
                .path("annotations")
                .propertyStream()
                .mapToLong(entry ->
                        Json.bytes(entry.getValue()).length + entry.getKey().length())
                .sum();
    }

    /** Makes a change if it is one; the last finalizer takes the object with it. */
    private ObjectNode change(String name, ObjectNode before, ObjectNode after) {
        if (after.equals(before)) {
            return before;
        }
        boolean released = after.path("metadata").has("deletionTimestamp")
                && after.path("metadata").path("finalizers").isEmpty();
        if (released) {
            remove(name, after);
            return after;
        }
        store("MODIFIED", name, after);
        return after;
    }

    private static TransportResponse json(int status, String body) {
        return new TransportResponse(
                status,
                Map.of("Content-Type", List.of("application/json")),
                body.replace('\'', '"').getBytes(java.nio.charset.StandardCharsets.UTF_8));
    }

    /** The definition loses its subresource for the status, and nobody is told. */
    public void loseStatus() {
        statusSubresource = false;
        statusLost = true;
    }

    public static TransportResponse status(int code, String reason, String message) {
        ObjectNode status = Json.object();
        status.put("kind", "Status").put("apiVersion", "v1").put("status", "Failure");
        status.put("reason", reason).put("message", message).put("code", code);
        return new TransportResponse(code, Map.of("Content-Type", List.of("application/json")), Json.bytes(status));
    }

    Platform platform() {
        return platform;
    }
}
