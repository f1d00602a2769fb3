package dev.kopf4j.engine.chaos;

import dev.kopf4j.client.transport.PushedResponseStream;
import dev.kopf4j.client.transport.ResponseStream;
import dev.kopf4j.client.transport.Transport;
import dev.kopf4j.client.transport.TransportRequest;
import dev.kopf4j.client.transport.TransportResponse;
import dev.kopf4j.json.Json;
import dev.kopf4j.json.JsonPatch;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.SimulatedPlatform;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Serves the objects of a store as an API server does behind a bad network. */
final class ChaosServer {
    private static final String COLLECTION = "/apis/kopf.dev/v1/kopfexamples";
    private static final String CRDS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
    private static final Pattern OBJECT =
            Pattern.compile("/apis/kopf.dev/v1/namespaces/ns/kopfexamples/([^/]+)(/status)?");
    private static final Map<String, List<String>> JSON = Map.of("Content-Type", List.of("application/json"));

    private final ObjectStore store;
    private final WorldHistory worldHistory;
    private final RequestFaults requestFaults;
    private final WatchConnections watchConnections;
    private final HostileObjects hostileObjects;
    private final Consumer<String> beforePatch;
    private final Map<String, List<ObjectNode>> snapshots = new HashMap<>();
    private final Requests requests = new Requests();

    /** A server of that store, in which the named object may be changed before each PATCH is carried out. */
    ChaosServer(
            ObjectStore store,
            WorldHistory worldHistory,
            RequestFaults requestFaults,
            WatchConnections watchConnections,
            HostileObjects hostileObjects,
            Consumer<String> beforePatch) {
        this.store = store;
        this.worldHistory = worldHistory;
        this.requestFaults = requestFaults;
        this.watchConnections = watchConnections;
        this.hostileObjects = hostileObjects;
        this.beforePatch = beforePatch;
    }

    /** How many requests have come. */
    static final class Requests {
        int patches;
        int lists;
        int watches;
        int others;

        int total() {
            return patches + lists + watches + others;
        }

        @Override
        public String toString() {
            return patches + " PATCHes, " + lists + " lists, " + watches + " watches, " + others + " others";
        }
    }

    Requests requests() {
        return requests;
    }

    /** A way to this server for one operator; it breaks when the operator's machine is killed. */
    Transport transport(SimulatedPlatform client) {
        return new Transport() {
            @Override
            public TransportResponse send(TransportRequest transportRequest, Deadline deadline)
                    throws IOException, InterruptedException {
                client.sleep(requestFaults.latency());
                TransportResponse refusal = requestFaults.before(transportRequest);
                TransportResponse transportResponse = refusal == null ? answer(transportRequest) : refusal;
                client.sleep(requestFaults.latency());
                TransportResponse spoilt = requestFaults.after(transportRequest);
                return spoilt == null ? transportResponse : spoilt;
            }

            @Override
            public ResponseStream open(TransportRequest transportRequest, Deadline headersBy)
                    throws IOException, InterruptedException {
                client.sleep(requestFaults.latency());
                TransportResponse refusal = requestFaults.before(transportRequest);
                if (refusal == null && transportRequest.isWatch()) {
                    return watch(client, transportRequest);
                }
                TransportResponse transportResponse = refusal == null ? answer(transportRequest) : refusal;
                client.sleep(requestFaults.latency());
                return complete(client, transportResponse);
            }

            @Override
            public void close() {
                // Streams end with their readers.
            }
        };
    }

    private static ResponseStream complete(SimulatedPlatform client, TransportResponse transportResponse) {
        PushedResponseStream stream = new PushedResponseStream(
                client,
                transportResponse.status(),
                transportResponse.headers(),
                PushedResponseStream.ChunkProducer.NONE);
        stream.feed(ByteBuffer.wrap(transportResponse.body()));
        stream.end();
        return stream;
    }

    private ResponseStream watch(SimulatedPlatform client, TransportRequest transportRequest) {
        requests.watches++;
        boolean ofObjects = transportRequest.path().startsWith(COLLECTION);
        long from = Long.parseLong(query(transportRequest, "resourceVersion", "0"));
        if (ofObjects && from < watchConnections.compacted()) {
            return complete(client, status(410, "Expired", "too old resource version: " + from));
        }
        PushedResponseStream stream =
                new PushedResponseStream(client, 200, Map.of(), PushedResponseStream.ChunkProducer.NONE);
        watchConnections.add(
                client, stream, ofObjects, from, Integer.parseInt(query(transportRequest, "timeoutSeconds", "300")));
        return stream;
    }

    private TransportResponse answer(TransportRequest transportRequest) {
        String path = transportRequest.path().replaceAll("\\?.*", "");
        Matcher object = OBJECT.matcher(path);
        if (transportRequest.method().equals("PATCH") && object.matches()) {
            return patch(transportRequest, object.group(1), object.group(2) != null);
        }
        if (path.equals(COLLECTION)) {
            return list(transportRequest);
        }
        requests.others++;
        return switch (path) {
            case "/version" -> text("{'major':'1','minor':'33','gitVersion':'v1.33.0'}");
            case "/api" -> text("{'kind':'APIVersions','versions':['v1']}");
            case "/api/v1" -> text("{'kind':'APIResourceList','groupVersion':'v1','resources':[]}");
            case "/apis" ->
                text("{'kind':'APIGroupList','groups':[{'name':'kopf.dev','versions':[{'groupVersion':'kopf.dev/v1',"
                        + "'version':'v1'}],'preferredVersion':{'groupVersion':'kopf.dev/v1','version':'v1'}}]}");
            case "/apis/kopf.dev/v1" -> text(resources());
            case CRDS -> text("{'kind':'CustomResourceDefinitionList','metadata':{'resourceVersion':'1'},'items':[]}");
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
                + (store.hasStatusSubresource() ? status : "") + "]}";
    }

    /** Later pages show the state at the time of the first one. */
    private TransportResponse list(TransportRequest transportRequest) {
        requests.lists++;
        String[] from =
                query(transportRequest, "continue", store.version() + "-0").split("-", 2);
        long version = Long.parseLong(from[0]);
        int start = Integer.parseInt(from[1]);
        if (version < watchConnections.compacted()) {
            return status(410, "Expired", "the continue token is too old");
        }
        List<ObjectNode> all = start == 0 ? store.all() : Objects.requireNonNull(snapshots.get(from[0]));
        snapshots.put(from[0], all);
        int end = Math.min(all.size(), start + Integer.parseInt(query(transportRequest, "limit", "1000")));
        String next = end < all.size() ? version + "-" + end : null;
        worldHistory.note("server: list at " + version + " from " + start + " to " + end + " of " + all.size());
        byte[] page = hostileObjects.page(ObjectStore.page(all.subList(start, end), version, next));
        return new TransportResponse(200, JSON, page);
    }

    private TransportResponse patch(TransportRequest transportRequest, String name, boolean status) {
        requests.patches++;
        JsonNode payload = Json.parse(Objects.requireNonNull(transportRequest.body()));
        beforePatch.accept(name);
        ObjectNode before = store.find(name);
        String what = "server: PATCH " + name + (status ? "/status " : " ") + payload;
        if (before == null) {
            worldHistory.note(what + " -> 404");
            return status(404, "NotFound", "kopfexamples.kopf.dev \"" + name + "\" not found");
        }
        try {
            ObjectNode after = store.patch(before, payload, status);
            worldHistory.note(what + " -> " + dev.kopf4j.engine.chaos.StoredState.version(after));
            return json(200, after);
        } catch (ObjectStore.Conflict e) {
            worldHistory.note(what + " -> 409");
            return status(409, "Conflict", "the object has been modified");
        } catch (JsonPatch.Failed | ObjectStore.Invalid e) {
            worldHistory.note(what + " -> 422 " + e.getMessage());
            return status(422, "Invalid", String.valueOf(e.getMessage()));
        }
    }

    private static String query(TransportRequest transportRequest, String key, String otherwise) {
        Matcher found = Pattern.compile("[?&]" + key + "=([^&]*)").matcher(transportRequest.path());
        return found.find() ? found.group(1) : otherwise;
    }

    private static TransportResponse text(String body) {
        return new TransportResponse(200, JSON, body.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
    }

    private static TransportResponse json(int status, ObjectNode body) {
        return new TransportResponse(status, JSON, Json.bytes(body));
    }

    static TransportResponse status(int code, String reason, String message) {
        ObjectNode status = Json.object();
        status.put("kind", "Status").put("apiVersion", "v1").put("status", "Failure");
        status.put("reason", reason).put("message", message).put("code", code);
        return json(code, status);
    }
}
