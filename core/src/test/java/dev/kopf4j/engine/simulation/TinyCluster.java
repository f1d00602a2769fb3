package dev.kopf4j.engine.simulation;

import dev.kopf4j.client.transport.PushedResponseStream;
import dev.kopf4j.client.transport.ResponseStream;
import dev.kopf4j.client.transport.Transport;
import dev.kopf4j.client.transport.TransportRequest;
import dev.kopf4j.client.transport.TransportResponse;
import dev.kopf4j.json.Json;
import dev.kopf4j.json.JsonPatch;
import dev.kopf4j.json.MergePatch;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.Platform;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** A small API server of several resources, with lists, watches and optimistic concurrency, in simulated time. */
public final class TinyCluster {
    private static final Pattern PATH = Pattern.compile(
            "/(?:api|apis/(?<group>[^/]+))/(?<version>[^/]+)(?:/namespaces/(?<ns>[^/]+))?/(?<plural>[^/]+)(?:/(?<name>[^/]+))?(?:/(?<sub>[^/]+))?");

    private final List<Kind> kinds = new ArrayList<>();
    private final Map<String, ObjectNode> objects = new TreeMap<>();
    /** By collection: leases are written every two seconds, and hardly ever watched. */
    private final Map<String, List<Event>> history = new HashMap<>();

    private final List<Watch> watches = new ArrayList<>();
    private final List<Request> requests = new ArrayList<>();
    private Faults faults = Faults.NONE;
    private final Map<String, Integer> lists = new LinkedHashMap<>();
    private final Set<String> unchangeable = new HashSet<>();
    private long version = 100;
    private @Nullable String group;

    /** A request as it has arrived from a client. */
    public record Request(String client, String method, String path, JsonNode body, int status) {}

    /** A resource that is served. */
    record Kind(String group, String plural, String kind, boolean namespaced) {
        String collection() {
            return (group.isEmpty() ? "/api/v1/" : "/apis/" + group + "/v1/") + plural;
        }
    }

    private record Event(String key, String type, long version, ObjectNode object) {
        String collection() {
            return key.substring(0, key.indexOf('|'));
        }
    }

    private record Watch(String prefix, PushedResponseStream stream) {
        String collection() {
            return prefix.substring(0, prefix.indexOf('|'));
        }
    }

    /** What goes wrong, and when; by the client's name. */
    public interface Faults {
        Faults NONE = new Faults() {};

        /** Before a request is looked at; an answer is given instead of the real one. */
        default @Nullable TransportResponse before(String client, TransportRequest transportRequest, Deadline deadline)
                throws IOException, InterruptedException {
            return null;
        }

        /** After a request was done, before it is answered. */
        default void after(String client, TransportRequest transportRequest) throws IOException, InterruptedException {}
    }

    public void faults(Faults newFaults) {
        faults = newFaults;
    }

    public TinyCluster serving(String group, String plural, String kind, boolean namespaced) {
        kinds.add(new Kind(group, plural, kind, namespaced));
        return this;
    }

    public void stopServing(String plural) {
        kinds.removeIf(kind -> kind.plural().equals(plural));
    }

    /** From now on the discovery shows only the verbs that are left of a resource while its definition is deleted. */
    public void reduceVerbs(String plural) {
        unchangeable.add(plural);
    }

    /** What follows in the same line is about resources of this group, if there are several of one name. */
    public TinyCluster ofGroup(String chosen) {
        group = chosen;
        return this;
    }

    /** How many times a resource was listed. */
    public int lists(String plural) {
        return lists.getOrDefault(plural, 0);
    }

    public List<Request> requests() {
        return List.copyOf(requests);
    }

    /** The changes that one client has made. */
    public List<Request> changesBy(String client) {
        return requests.stream()
                .filter(request ->
                        request.client().equals(client) && !request.method().equals("GET"))
                .toList();
    }

    private Kind kind(String plural) {
        return kinds.stream()
                .filter(each -> each.plural().equals(plural)
                        && (group == null || each.group().equals(group)))
                .findFirst()
                .orElseGet(() -> switch (plural) {
                    case "namespaces" -> new Kind("", "namespaces", "Namespace", false);
                    case "customresourcedefinitions" ->
                        new Kind("apiextensions.k8s.io", plural, "CustomResourceDefinition", false);
                    default -> throw new AssertionError("not served: " + plural);
                });
    }

    private String key(String plural, @Nullable String namespace, String name) {
        Kind kind = kind(plural);
        return kind.collection() + "|" + (kind.namespaced() ? namespace : "") + "|" + name;
    }

    public @Nullable ObjectNode find(String plural, @Nullable String namespace, String name) {
        ObjectNode found = objects.get(key(plural, namespace, name));
        return found == null ? null : found.deepCopy();
    }

    public ObjectNode get(String plural, @Nullable String namespace, String name) {
        return Objects.requireNonNull(find(plural, namespace, name), name);
    }

    /** Somebody creates or replaces an object. */
    public void put(String plural, @Nullable String namespace, String name, String content) {
        Kind kind = kind(plural);
        ObjectNode object = Json.object().put("apiVersion", kind.group().isEmpty() ? "v1" : kind.group() + "/v1");
        object.put("kind", kind.kind());
        object.setAll(Scenario.json(content));
        ObjectNode metadata = object.withObject("/metadata");
        metadata.put("name", name).put("uid", "uid-" + name);
        if (kind.namespaced()) {
            metadata.put("namespace", namespace);
        }
        store(key(plural, namespace, name), object);
        group = null;
    }

    /** Somebody changes an object. */
    public void patch(String plural, @Nullable String namespace, String name, String mergePatch) {
        String key = key(plural, namespace, name);
        store(key, MergePatch.apply(get(plural, namespace, name), Scenario.json(mergePatch)));
    }

    public void delete(String plural, @Nullable String namespace, String name) {
        String key = key(plural, namespace, name);
        ObjectNode last = objects.remove(key);
        if (last != null) {
            publish(new Event(key, "DELETED", ++version, versioned(last)));
        }
    }

    /** All watches end, as they do from time to time. */
    public void endWatches() {
        watches.forEach(watch -> watch.stream().end());
        watches.clear();
    }

    /** The connections are dead, but nobody tells the clients. */
    public void silenceWatches() {
        watches.clear();
    }

    private ObjectNode versioned(ObjectNode object) {
        ObjectNode copy = object.deepCopy();
        copy.withObject("/metadata").put("resourceVersion", Long.toString(version));
        return copy;
    }

    private ObjectNode store(String key, ObjectNode object) {
        ObjectNode before = objects.get(key);
        if (before != null && before.equals(object)) {
            return before;
        }
        boolean released = object.path("metadata").has("deletionTimestamp")
                && object.path("metadata").path("finalizers").isEmpty();
        version++;
        ObjectNode stored = versioned(object);
        if (released) {
            objects.remove(key);
        } else {
            objects.put(key, stored);
        }
        publish(new Event(key, released ? "DELETED" : before == null ? "ADDED" : "MODIFIED", version, stored));
        return stored;
    }

    private void publish(Event event) {
        history.computeIfAbsent(event.collection(), _ -> new ArrayList<>()).add(event);
        watches.removeIf(watch -> watch.stream().isClosed());
        watches.forEach(watch -> feed(watch, event));
    }

    private static void feed(Watch watch, Event event) {
        if (event.key().startsWith(watch.prefix())) {
            ObjectNode line = Json.object().put("type", event.type());
            line.set("object", event.object());
            watch.stream().feed(ByteBuffer.wrap((Json.text(line) + "\n").getBytes(StandardCharsets.UTF_8)));
        }
    }

    /** A way to this server for a client; breaks when the client's machine is killed. */
    public Transport transport(String client, Platform machine) {
        return new Transport() {
            @Override
            public TransportResponse send(TransportRequest transportRequest, Deadline deadline)
                    throws IOException, InterruptedException {
                machine.monitor().awaitTrue(() -> true, Deadline.NEVER);
                TransportResponse fault = faults.before(client, transportRequest, deadline);
                TransportResponse transportResponse = fault == null ? answer(transportRequest) : fault;
                JsonNode body = transportRequest.body() == null
                        ? Json.object()
                        : Json.parse(Objects.requireNonNull(transportRequest.body()));
                requests.add(new Request(
                        client, transportRequest.method(), transportRequest.path(), body, transportResponse.status()));
                faults.after(client, transportRequest);
                return transportResponse;
            }

            @Override
            public ResponseStream open(TransportRequest transportRequest, Deadline headersBy)
                    throws IOException, InterruptedException {
                machine.monitor().awaitTrue(() -> true, Deadline.NEVER);
                TransportResponse fault = faults.before(client, transportRequest, headersBy);
                if (fault == null && transportRequest.isWatch()) {
                    return watch(machine, transportRequest);
                }
                TransportResponse transportResponse = fault == null ? answer(transportRequest) : fault;
                PushedResponseStream stream = new PushedResponseStream(
                        machine,
                        transportResponse.status(),
                        transportResponse.headers(),
                        PushedResponseStream.ChunkProducer.NONE);
                stream.feed(ByteBuffer.wrap(transportResponse.body()));
                stream.end();
                return stream;
            }

            @Override
            public void close() {
                // Streams end with their readers.
            }
        };
    }

    private ResponseStream watch(Platform machine, TransportRequest transportRequest) {
        Matcher path = PATH.matcher(transportRequest.path().replaceAll("\\?.*", ""));
        if (!path.matches() || !isServed(path)) {
            group = null;
            PushedResponseStream refused =
                    new PushedResponseStream(machine, 404, Map.of(), PushedResponseStream.ChunkProducer.NONE);
            refused.end();
            return refused;
        }
        PushedResponseStream stream =
                new PushedResponseStream(machine, 200, Map.of(), PushedResponseStream.ChunkProducer.NONE);
        Watch watch = new Watch(prefix(path), stream);
        group = null;
        long from = Long.parseLong(transportRequest.path().replaceAll(".*resourceVersion=(\\d+).*", "$1"));
        List<Event> events = history.getOrDefault(watch.collection(), List.of());
        events.subList(firstAfter(from, events), events.size()).forEach(event -> feed(watch, event));
        watches.add(watch);
        return new FakeApiServer.PlannedWatch(machine, transportRequest, stream, () -> watches.contains(watch));
    }

    /** Most watches go on from the newest ones: looked for from the end. */
    private static int firstAfter(long from, List<Event> events) {
        int first = events.size();
        while (first > 0 && events.get(first - 1).version() > from) {
            first--;
        }
        return first;
    }

    /** What the keys of a collection's objects begin with, in one namespace or in all. */
    private String prefix(Matcher path) {
        String collection = kind(path.group("plural")).collection() + "|";
        return path.group("ns") == null ? collection : collection + path.group("ns") + "|";
    }

    private boolean isServed(Matcher path) {
        group = path.group("group") == null ? "" : path.group("group");
        return path.group("plural").equals("customresourcedefinitions")
                || path.group("plural").equals("namespaces")
                || kinds.stream()
                        .anyMatch(kind ->
                                kind.group().equals(group) && kind.plural().equals(path.group("plural")));
    }

    private TransportResponse answer(TransportRequest transportRequest) {
        String text = transportRequest.path().replaceAll("\\?.*", "");
        if (text.equals("/version")) {
            return json(200, Scenario.json("{'gitVersion':'v1.33.0'}"));
        }
        if (text.equals("/api")) {
            return json(200, Scenario.json("{'kind':'APIVersions','versions':['v1']}"));
        }
        if (text.equals("/apis")) {
            return json(200, groups());
        }
        Matcher list = Pattern.compile("/(?:api|apis/([^/]+))/v1").matcher(text);
        if (list.matches()) {
            return json(200, resources(list.group(1) == null ? "" : list.group(1)));
        }
        Matcher path = PATH.matcher(text);
        try {
            return path.matches() && isServed(path)
                    ? answer(transportRequest, path)
                    : status(404, "NotFound", text + " is not served");
        } finally {
            group = null;
        }
    }

    private ObjectNode groups() {
        ObjectNode list = Json.object().put("kind", "APIGroupList");
        ArrayNode groups = list.putArray("groups");
        kinds.stream()
                .map(Kind::group)
                .filter(group -> !group.isEmpty())
                .distinct()
                .forEach(group ->
                        groups.add(Scenario.json("{'name':'" + group + "','versions':[{'groupVersion':'" + group
                                + "/v1','version':'v1'}],'preferredVersion':{'groupVersion':'" + group
                                + "/v1','version':'v1'}}")));
        return list;
    }

    private ObjectNode resources(String group) {
        ObjectNode list = Json.object().put("kind", "APIResourceList");
        ArrayNode resources = list.putArray("resources");
        kinds.stream()
                .filter(kind -> kind.group().equals(group))
                .forEach(
                        kind -> resources.add(Scenario.json("{'name':'" + kind.plural() + "','singularName':'','kind':'"
                                + kind.kind() + "','namespaced':" + kind.namespaced()
                                + ",'verbs':[" + verbs(kind) + "]}")));
        return list;
    }

    private String verbs(Kind kind) {
        return unchangeable.contains(kind.plural())
                ? "'delete','deletecollection','get','list','watch'"
                : "'create','delete','deletecollection','get','list','patch','update','watch'";
    }

    private TransportResponse answer(TransportRequest transportRequest, Matcher path) {
        if (path.group("name") == null && transportRequest.method().equals("GET")) {
            lists.merge(path.group("plural"), 1, Integer::sum);
            return json(200, list(prefix(path)));
        }
        if (transportRequest.method().equals("POST")) {
            ObjectNode body = (ObjectNode) Json.parse(Objects.requireNonNull(transportRequest.body()));
            String name = body.path("metadata").path("name").asString("generated-" + version);
            String key = key(path.group("plural"), path.group("ns"), name);
            if (!body.path("metadata").has("uid")) {
                body.withObject("/metadata").put("uid", "uid-" + name + "-" + version);
            }
            return objects.containsKey(key)
                    ? status(409, "AlreadyExists", name + " already exists")
                    : json(201, store(key, body));
        }
        String key = key(path.group("plural"), path.group("ns"), path.group("name"));
        ObjectNode before = objects.get(key);
        if (before == null) {
            return status(404, "NotFound", path.group("name") + " not found");
        }
        return switch (transportRequest.method()) {
            case "GET" -> json(200, before);
            case "PUT", "PATCH" -> changed(transportRequest, key, before);
            case "DELETE" -> deleted(transportRequest, path, before);
            default -> throw new AssertionError(transportRequest.method());
        };
    }

    private TransportResponse deleted(TransportRequest transportRequest, Matcher path, ObjectNode before) {
        JsonNode conditions = transportRequest.body() == null
                ? Json.object()
                : Json.parse(Objects.requireNonNull(transportRequest.body())).path("preconditions");
        for (String each : List.of("uid", "resourceVersion")) {
            if (conditions.has(each)
                    && !conditions.path(each).equals(before.path("metadata").path(each))) {
                return status(409, "Conflict", "Precondition failed: " + each);
            }
        }
        delete(path.group("plural"), path.group("ns"), path.group("name"));
        return status(200, "", "deleted");
    }

    private TransportResponse changed(TransportRequest transportRequest, String key, ObjectNode before) {
        JsonNode payload = Json.parse(Objects.requireNonNull(transportRequest.body()));
        try {
            ObjectNode after = payload instanceof ArrayNode operations
                    ? (ObjectNode) JsonPatch.apply(before, operations, kept -> kept)
                    : transportRequest.method().equals("PUT")
                            ? (ObjectNode) payload
                            : MergePatch.apply(before, (ObjectNode) payload);
            String expected = after.path("metadata").path("resourceVersion").asString("");
            String actual = before.path("metadata").path("resourceVersion").asString("");
            if (!expected.isEmpty() && !expected.equals(actual)) {
                return status(409, "Conflict", "the object has been modified");
            }
            if (!after.path("metadata")
                    .path("uid")
                    .equals(before.path("metadata").path("uid"))) {
                return status(409, "Conflict", "Precondition failed: UID in precondition");
            }
            return json(200, store(key, after));
        } catch (JsonPatch.Failed e) {
            return status(422, "Invalid", "the server rejected our request: " + e.getMessage());
        }
    }

    private ObjectNode list(String prefix) {
        ObjectNode list = Json.object().put("kind", "List");
        list.putObject("metadata").put("resourceVersion", Long.toString(version));
        ArrayNode items = list.putArray("items");
        objects.forEach((key, object) -> {
            if (key.startsWith(prefix)) {
                items.add(object);
            }
        });
        return list;
    }

    private static TransportResponse json(int status, JsonNode body) {
        return new TransportResponse(status, Map.of("Content-Type", List.of("application/json")), Json.bytes(body));
    }

    public static TransportResponse status(int code, String reason, String message) {
        ObjectNode status =
                Json.object().put("kind", "Status").put("apiVersion", "v1").put("status", "Failure");
        return json(code, status.put("reason", reason).put("message", message).put("code", code));
    }
}
