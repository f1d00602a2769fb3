package dev.kopf4j.cli.console;

import dev.kopf4j.devcluster.DevCluster;
import dev.kopf4j.devcluster.api.ApiRequest;
import dev.kopf4j.devcluster.api.ApiResponse;
import dev.kopf4j.engine.console.ConsoleServer;
import dev.kopf4j.engine.console.ConsoleServer.ConsoleQuery;
import dev.kopf4j.engine.http.HttpListener.HttpReply;
import dev.kopf4j.json.Json;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.Monitor;
import dev.kopf4j.runtime.Platform;
import dev.kopf4j.text.KubernetesTimestamps;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The console of an embedded cluster: how many objects of which kinds it has, tables of them as {@code kubectl get}
 * shows them, requests as they come, and the faults that are on. It asks the cluster as its administrator, without a
 * socket and without faults. Thread-safe.
 */
public final class DevClusterConsole implements AutoCloseable {
    private static final Duration FRESH = Duration.ofSeconds(1);
    private static final int REQUESTS_SHOWN = 100;
    private static final int ROWS_MAX = 200;
    private static final String TABLE = "application/json;as=Table;g=meta.k8s.io;v=v1";

    private final Platform platform;
    private final DevCluster cluster;
    private final RequestFeed feed;
    private final Instant started;
    private final Monitor monitor;
    private final ConsoleServer server;

    // Guarded by the monitor.
    private List<Kind> kinds = List.of();
    private Deadline freshUntil;

    /** How many objects of a kind there are. */
    private record Kind(String resource, String apiVersion, String kind, String path, long objects) {}

    /**
     * Listens at once.
     *
     * @param feed hears of the cluster's requests
     * @param port 0 for any free one
     * @throws IOException if the port cannot be listened at
     */
    public DevClusterConsole(Platform platform, DevCluster cluster, RequestFeed feed, int port) throws IOException {
        this.platform = platform;
        this.cluster = cluster;
        this.feed = feed;
        this.started = platform.now();
        this.monitor = platform.monitor();
        this.freshUntil = platform.after(Duration.ZERO);
        Map<String, ConsoleServer.Answer> answers = new HashMap<>(ConsoleServer.sharedFiles());
        answers.putAll(ConsoleServer.files(
                name -> DevClusterConsole.class.getResourceAsStream(name),
                Map.of("/", "devcluster.html", "/devcluster.js", "devcluster.js")));
        answers.put("/snapshot", _ -> ConsoleServer.json(snapshot()));
        answers.put("/table", this::table);
        this.server = ConsoleServer.start(platform, port, answers);
    }

    /** Where the page is. */
    public String address() {
        return server.address();
    }

    private ObjectNode snapshot() {
        ObjectNode told = Json.object();
        told.put("at", KubernetesTimestamps.format(platform.now()));
        told.put("started", KubernetesTimestamps.format(started));
        told.put("url", cluster.url());
        told.put("damage", cluster.damage());
        ArrayNode faults = told.putArray("faults");
        cluster.faults().rules().forEach(rule -> faults.add(rule.toString()));
        Duration offset = cluster.faults().clockOffset();
        told.put("clockOffsetMillis", offset.toMillis());
        ArrayNode all = told.putArray("kinds");
        kinds().forEach(each -> all.addObject()
                .put("resource", each.resource())
                .put("apiVersion", each.apiVersion())
                .put("kind", each.kind())
                .put("path", each.path())
                .put("objects", each.objects()));
        feed.tell(REQUESTS_SHOWN, told);
        return told;
    }

    private List<Kind> kinds() {
        return monitor.locked(() -> {
            if (freshUntil.hasPassed(platform)) {
                kinds = found();
                freshUntil = platform.after(FRESH);
            }
            return kinds;
        });
    }

    private List<Kind> found() {
        List<String> places = new ArrayList<>(List.of("/api/v1"));
        for (JsonNode group : get("/apis", "application/json").path("groups").values()) {
            places.add("/apis/"
                    + group.path("preferredVersion").path("groupVersion").asString(""));
        }
        List<Kind> found = new ArrayList<>();
        for (String place : places) {
            for (JsonNode resource :
                    get(place, "application/json").path("resources").values()) {
                boolean listed = resource.path("verbs").values().stream()
                        .anyMatch(verb -> verb.asString("").equals("list"));
                if (listed) {
                    String path = place + "/" + resource.path("name").asString("");
                    found.add(new Kind(
                            resource.path("name").asString(""),
                            place.substring(place.indexOf('/', 1) + 1),
                            resource.path("kind").asString(""),
                            path,
                            count(path)));
                }
            }
        }
        found.sort(Comparator.comparing((Kind each) -> each.objects() == 0)
                .thenComparing(Kind::resource)
                .thenComparing(Kind::apiVersion));
        return found;
    }

    private long count(String path) {
        JsonNode page = get(path + "?limit=1", "application/json");
        return page.path("items").size()
                + page.path("metadata").path("remainingItemCount").asLong(0);
    }

    /** The objects of a kind, in the columns that {@code kubectl get} shows. */
    private HttpReply table(ConsoleQuery query) {
        String path = query.text("path");
        if (kinds().stream().noneMatch(each -> each.path().equals(path))) {
            return HttpReply.problem(404, "The cluster has no such kind (any more).");
        }
        JsonNode table = get(path + "?limit=" + ROWS_MAX, TABLE);
        ObjectNode told = Json.object();
        told.put("at", KubernetesTimestamps.format(platform.now()));
        told.put("more", table.path("metadata").path("remainingItemCount").asLong(0));
        ArrayNode columns = told.putArray("columns");
        List<Integer> shown = new ArrayList<>();
        int at = 0;
        for (JsonNode column : table.path("columnDefinitions").values()) {
            if (column.path("priority").asInt(0) == 0) {
                shown.add(at);
                columns.add(column.path("name").asString(""));
            }
            at++;
        }
        ArrayNode rows = told.putArray("rows");
        for (JsonNode row : table.path("rows").values()) {
            ArrayNode cells = rows.addObject()
                    .put("uid", row.path("object").path("metadata").path("uid").asString(""))
                    .put(
                            "namespace",
                            row.path("object")
                                    .path("metadata")
                                    .path("namespace")
                                    .asString(""))
                    .putArray("cells");
            shown.forEach(column -> cells.add(row.path("cells").path(column).asString("")));
        }
        return ConsoleServer.json(told);
    }

    /** An answer as JSON; an empty object for any that is none. */
    private JsonNode get(String target, String accept) {
        ApiResponse response = cluster.look(ApiRequest.of(
                "GET", target, Map.of("Authorization", "Bearer " + cluster.token(), "Accept", accept), new byte[0]));
        return switch (response.body()) {
            case ApiResponse.Whole(byte[] bytes) -> response.status() == 200 ? Json.parse(bytes) : Json.object();
            case ApiResponse.Pieces(Iterable<byte[]> pieces) -> {
                ByteArrayOutputStream all = new ByteArrayOutputStream();
                pieces.forEach(all::writeBytes);
                yield Json.parse(all.toByteArray());
            }
            case ApiResponse.Events(var stream) -> {
                stream.close();
                yield Json.object();
            }
            case ApiResponse.Broken() -> Json.object();
        };
    }

    @Override
    public void close() {
        server.close();
    }
}
