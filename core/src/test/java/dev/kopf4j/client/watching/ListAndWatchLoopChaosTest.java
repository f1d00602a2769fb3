package dev.kopf4j.client.watching;

import static dev.kopf4j.client.api.ClientExamples.KEX;
import static dev.kopf4j.client.transport.ScriptedTransport.event;
import static dev.kopf4j.client.transport.ScriptedTransport.json;
import static dev.kopf4j.client.transport.ScriptedTransport.line;
import static dev.kopf4j.client.transport.ScriptedTransport.status;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.OperatorSettings;
import dev.kopf4j.client.api.ClientExamples;
import dev.kopf4j.client.api.KubernetesApi;
import dev.kopf4j.client.api.WatchEvent;
import dev.kopf4j.client.transport.NetworkSettings;
import dev.kopf4j.client.transport.PushedResponseStream;
import dev.kopf4j.client.transport.ScriptedTransport;
import dev.kopf4j.client.transport.TransportRequest;
import dev.kopf4j.client.transport.TransportResponse;
import dev.kopf4j.json.Json;
import dev.kopf4j.runtime.SimulatedPlatform;
import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ObjectNode;

/**
 * Goal: whatever a server and a network do to a watch, its listener finally knows what the server has. Method: a server
 * with a history changes objects at random, while watches are cut, silenced, garbled and refused, and the history is
 * compacted. Then all faults end, and the two views must agree. The seed is the parameter.
 */
@Tag("B01")
@Tag("B02")
@Tag("B03")
@Tag("B08")
class ListAndWatchLoopChaosTest {
    private static final int STEPS = 400;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20})
    void listenerFinallyKnowsWhatTheServerHas(long seed) {
        listenerFinallyKnows(seed, false);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20})
    void listenerOfStreamedListsFinallyKnowsWhatTheServerHas(long seed) {
        Server server = listenerFinallyKnows(seed, true);
        assertThat(server.streamedLists).as("streamed lists").isPositive();
    }

    private static Server listenerFinallyKnows(long seed, boolean streamedLists) {
        SimulatedPlatform platform = new SimulatedPlatform(seed, ClientExamples.START);
        Server server = new Server(platform);
        ScriptedTransport transport =
                new ScriptedTransport(platform).answering(server::list).answeringWatches(server::openWatch);
        Mirror mirror = new Mirror();
        NetworkSettings once = NetworkSettings.DEFAULTS.withErrorBackoffs();
        OperatorSettings.Watching settings =
                new OperatorSettings().watching().pageSize(3).streamedLists(streamedLists);
        ListAndWatchLoop loop =
                new ListAndWatchLoop(platform, new KubernetesApi(platform, transport, once), KEX, "ns", settings);
        platform.spawn("loop", () -> loop.run(mirror));
        for (int step = 0; step < STEPS; step++) {
            server.adopt(transport);
            server.act();
            platform.runFor(Duration.ofMillis(platform.random().nextInt(20_000)));
        }
        server.recover();
        for (int i = 0; i < 10; i++) {
            server.adopt(transport);
            server.completeLists();
            platform.runFor(Duration.ofSeconds(30));
        }
        assertThat(mirror.completeLists).as("lists").isPositive();
        assertThat(transport.watchCount()).as("watches").isGreaterThan(10);
        assertThat(mirror.objects).isEqualTo(server.objects);
        return server;
    }

    /** What the listener believes. */
    private static final class Mirror implements ListAndWatchListener {
        Map<String, String> objects = new TreeMap<>();
        private Map<String, String> listed = new TreeMap<>();
        int completeLists;

        @Override
        public void listStarted() {
            listed = new TreeMap<>();
        }

        @Override
        public void listed(ObjectNode object) {
            listed.put(text(object, "name"), text(object, "resourceVersion"));
        }

        @Override
        public void listComplete(String resourceVersion) {
            completeLists++;
            objects = listed;
        }

        @Override
        public void event(WatchEvent event) {
            String name = text(event.object(), "name");
            if (event.type() == WatchEvent.Type.DELETED) {
                objects.remove(name);
            } else {
                objects.put(name, event.resourceVersion());
            }
        }

        private static String text(ObjectNode object, String field) {
            return object.path("metadata").path(field).asString();
        }
    }

    private record Change(long version, String type, String name) {
        String object() {
            return "{'metadata':{'name':'" + name + "','resourceVersion':'" + version + "'}}";
        }
    }

    /** A server with a history of changes, of which the oldest part may be gone, and with bad days. */
    private static final class Server {
        private final SimulatedPlatform platform;
        final Map<String, String> objects = new TreeMap<>();
        private final List<Change> history = new ArrayList<>();
        private final List<PushedResponseStream> watches = new ArrayList<>();
        private final List<Boolean> newWatchesAreComplete = new ArrayList<>();
        private final List<PushedResponseStream> incomplete = new ArrayList<>();
        int streamedLists;
        private long version = 100;
        private long compacted = 100;
        private boolean refusing;
        private boolean mute;

        Server(SimulatedPlatform platform) {
            this.platform = platform;
        }

        private int chance(int bound) {
            return platform.random().nextInt(bound);
        }

        void act() {
            if (chance(4) > 0) {
                completeLists();
            }
            switch (chance(14)) {
                case 0 -> endWatches();
                case 1 -> watches.forEach(watch -> watch.fail(new IOException("connection reset")));
                case 2 -> watches.forEach(watch -> line(watch, "{\"type\":\"MODIF"));
                case 3 -> compacted = version;
                case 4 -> refusing = !refusing;
                case 5 -> mute = !mute;
                case 6 -> broadcast("ERROR", "{'kind':'Status','code':410}");
                case 7 -> broadcast("ERROR", "{'kind':'Status','code':500}");
                case 8 -> {
                    completeLists();
                    broadcast("BOOKMARK", new Change(version, "", "").object());
                }
                default -> change();
            }
        }

        /** A server ends a watch as planned only when the list at its beginning is complete. */
        private void endWatches() {
            completeLists();
            watches.forEach(PushedResponseStream::end);
        }

        private void completeLists() {
            incomplete.forEach(watch -> line(watch, endOfList()));
            incomplete.clear();
        }

        private String endOfList() {
            streamedLists++;
            return "{\"type\":\"BOOKMARK\",\"object\":{\"metadata\":{\"resourceVersion\":\"" + version
                    + "\",\"annotations\":{\"k8s.io/initial-events-end\":\"true\"}}}}";
        }

        private void change() {
            String name = "object-" + chance(8);
            boolean exists = objects.containsKey(name);
            version += 1 + chance(3);
            String type = !exists ? "ADDED" : chance(3) == 0 ? "DELETED" : "MODIFIED";
            Change change = new Change(version, type, name);
            history.add(change);
            if (type.equals("DELETED")) {
                objects.remove(name);
            } else {
                objects.put(name, Long.toString(version));
            }
            if (mute) {
                // A half-open connection: what was to be sent is lost, and so is the connection.
                watches.clear();
                incomplete.clear();
            }
            broadcast(type, change.object());
        }

        private void broadcast(String type, String object) {
            watches.forEach(watch -> event(watch, type, object));
        }

        void recover() {
            refusing = false;
            mute = false;
        }

        TransportResponse list(TransportRequest transportRequest) throws IOException {
            if (refusing) {
                throw new IOException("no route to host");
            }
            Map<String, String> query = query(transportRequest);
            String from = query.getOrDefault("continue", "");
            if (!from.isEmpty() && Long.parseLong(from.split("/", 2)[0]) < compacted) {
                return status(410, "Expired", "the continue token is too old");
            }
            return page(from, Integer.parseInt(query.getOrDefault("limit", "1000")));
        }

        /** Later pages show the latest state too: the loop must not rely on more than the version. */
        private TransportResponse page(String from, int limit) {
            String after = from.isEmpty() ? "" : from.split("/", 2)[1];
            String listVersion = from.isEmpty() ? Long.toString(version) : from.split("/", 2)[0];
            List<String> names = objects.keySet().stream()
                    .filter(name -> name.compareTo(after) > 0)
                    .toList();
            List<String> shown = names.subList(0, Math.min(limit, names.size()));
            ObjectNode metadata = Json.object().put("resourceVersion", listVersion);
            if (shown.size() < names.size()) {
                metadata.put("continue", listVersion + "/" + shown.getLast());
            }
            String items = shown.stream()
                    .map(name -> new Change(Long.parseLong(objects.get(name)), "", name).object())
                    .collect(Collectors.joining(","));
            return json(200, "{'metadata':" + Json.text(metadata) + ",'items':[" + items + "]}");
        }

        TransportResponse openWatch(TransportRequest transportRequest) throws IOException {
            if (refusing) {
                return status(503, "ServiceUnavailable", "down");
            }
            Map<String, String> query = query(transportRequest);
            if (query.containsKey("sendInitialEvents")) {
                return openWithInitialEvents();
            }
            long from = Long.parseLong(query.get("resourceVersion"));
            if (from < compacted) {
                return status(410, "Expired", "too old resource version");
            }
            newWatchesAreComplete.add(true);
            String missed = history.stream()
                    .filter(change -> change.version() > from)
                    .map(change -> "{'type':'" + change.type() + "','object':" + change.object() + "}\n")
                    .collect(Collectors.joining());
            return json(200, missed);
        }

        private TransportResponse openWithInitialEvents() {
            boolean complete = chance(3) == 0;
            newWatchesAreComplete.add(complete);
            String existing = objects.entrySet().stream()
                    .map(each -> new Change(Long.parseLong(each.getValue()), "", each.getKey()))
                    .map(change -> "{'type':'ADDED','object':" + change.object() + "}\n")
                    .collect(Collectors.joining());
            return json(200, existing + (complete ? endOfList() + "\n" : ""));
        }

        /** Takes over the streams that were opened since the last time, with what has happened since. */
        void adopt(ScriptedTransport transport) {
            watches.removeIf(PushedResponseStream::isClosed);
            incomplete.removeIf(PushedResponseStream::isClosed);
            for (boolean complete : newWatchesAreComplete) {
                PushedResponseStream watch = transport.takeWatch();
                watches.add(watch);
                if (!complete) {
                    incomplete.add(watch);
                }
            }
            newWatchesAreComplete.clear();
        }

        private static Map<String, String> query(TransportRequest transportRequest) {
            String query =
                    transportRequest.path().substring(transportRequest.path().indexOf('?') + 1);
            return Arrays.stream(query.split("&", -1))
                    .map(pair -> pair.split("=", 2))
                    .filter(pair -> pair.length == 2)
                    .collect(Collectors.toMap(
                            pair -> pair[0], pair -> URLDecoder.decode(pair[1], StandardCharsets.UTF_8)));
        }
    }
}
