package dev.kopf4j.engine.chaos;

import dev.kopf4j.client.transport.Answer;
import dev.kopf4j.client.transport.AnswerStream;
import dev.kopf4j.client.transport.Call;
import dev.kopf4j.client.transport.FedStream;
import dev.kopf4j.client.transport.Transport;
import dev.kopf4j.json.Json;
import dev.kopf4j.json.JsonPatchException;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.SimulatedPlatform;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Serves a store as an API server does over a bad network. */
final class ChaosServer {
    private static final String COLLECTION = "/apis/kopf.dev/v1/kopfexamples";
    private static final String CRDS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
    private static final Pattern OBJECT =
            Pattern.compile("/apis/kopf.dev/v1/namespaces/ns/kopfexamples/([^/]+)(/status)?");
    private static final Map<String, List<String>> JSON = Map.of("Content-Type", List.of("application/json"));

    private final ObjectStore store;
    private final Chronicle chronicle;
    private final Faults faults;
    private final Watches watches;
    private final Map<String, List<ObjectNode>> snapshots = new HashMap<>();
    private final Requests requests = new Requests();

    ChaosServer(ObjectStore store, Chronicle chronicle, Faults faults, Watches watches) {
        this.store = store;
        this.chronicle = chronicle;
        this.faults = faults;
        this.watches = watches;
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
            public Answer send(Call call, Deadline deadline) throws IOException, InterruptedException {
                client.sleep(faults.latency());
                Answer refusal = faults.before(call);
                Answer answer = refusal == null ? answer(call) : refusal;
                client.sleep(faults.latency());
                Answer spoilt = faults.after(call);
                return spoilt == null ? answer : spoilt;
            }

            @Override
            public AnswerStream open(Call call, Deadline headersBy) throws IOException, InterruptedException {
                client.sleep(faults.latency());
                Answer refusal = faults.before(call);
                if (refusal == null && call.isWatch()) {
                    return watch(client, call);
                }
                Answer answer = refusal == null ? answer(call) : refusal;
                client.sleep(faults.latency());
                return complete(client, answer);
            }

            @Override
            public void close() {
                // Streams end with their readers.
            }
        };
    }

    private static AnswerStream complete(SimulatedPlatform client, Answer answer) {
        FedStream stream = new FedStream(client, answer.status(), answer.headers(), FedStream.Feeder.INDIFFERENT);
        stream.feed(ByteBuffer.wrap(answer.body()));
        stream.end();
        return stream;
    }

    private AnswerStream watch(SimulatedPlatform client, Call call) {
        requests.watches++;
        boolean ofObjects = call.path().startsWith(COLLECTION);
        long from = Long.parseLong(query(call, "resourceVersion", "0"));
        if (ofObjects && from < watches.compacted()) {
            return complete(client, status(410, "Expired", "too old resource version: " + from));
        }
        FedStream stream = new FedStream(client, 200, Map.of(), FedStream.Feeder.INDIFFERENT);
        watches.add(client, stream, ofObjects, from, Integer.parseInt(query(call, "timeoutSeconds", "300")));
        return stream;
    }

    private Answer answer(Call call) {
        String path = call.path().replaceAll("\\?.*", "");
        Matcher object = OBJECT.matcher(path);
        if (call.method().equals("PATCH") && object.matches()) {
            return patch(call, object.group(1), object.group(2) != null);
        }
        if (path.equals(COLLECTION)) {
            return list(call);
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
    private Answer list(Call call) {
        requests.lists++;
        String[] from = query(call, "continue", store.version() + "-0").split("-", 2);
        long version = Long.parseLong(from[0]);
        int start = Integer.parseInt(from[1]);
        if (version < watches.compacted()) {
            return status(410, "Expired", "the continue token is too old");
        }
        List<ObjectNode> all = start == 0 ? store.all() : Objects.requireNonNull(snapshots.get(from[0]));
        snapshots.put(from[0], all);
        int end = Math.min(all.size(), start + Integer.parseInt(query(call, "limit", "1000")));
        String next = end < all.size() ? version + "-" + end : null;
        chronicle.note("server: list at " + version + " from " + start + " to " + end + " of " + all.size());
        return json(200, ObjectStore.page(all.subList(start, end), version, next));
    }

    private Answer patch(Call call, String name, boolean status) {
        requests.patches++;
        JsonNode payload = Json.parse(Objects.requireNonNull(call.body()));
        ObjectNode before = store.find(name);
        String what = "server: PATCH " + name + (status ? "/status " : " ") + payload;
        if (before == null) {
            chronicle.note(what + " -> 404");
            return status(404, "NotFound", "kopfexamples.kopf.dev \"" + name + "\" not found");
        }
        try {
            ObjectNode after = store.patch(before, payload, status);
            chronicle.note(what + " -> " + dev.kopf4j.engine.chaos.Objects.version(after));
            return json(200, after);
        } catch (JsonPatchException | ObjectStore.Invalid e) {
            chronicle.note(what + " -> 422 " + e.getMessage());
            return status(422, "Invalid", String.valueOf(e.getMessage()));
        }
    }

    private static String query(Call call, String key, String otherwise) {
        Matcher found = Pattern.compile("[?&]" + key + "=([^&]*)").matcher(call.path());
        return found.find() ? found.group(1) : otherwise;
    }

    private static Answer text(String body) {
        return new Answer(200, JSON, body.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
    }

    private static Answer json(int status, ObjectNode body) {
        return new Answer(status, JSON, Json.bytes(body));
    }

    static Answer status(int code, String reason, String message) {
        ObjectNode status = Json.object();
        status.put("kind", "Status").put("apiVersion", "v1").put("status", "Failure");
        status.put("reason", reason).put("message", message).put("code", code);
        return json(code, status);
    }
}
