package dev.kopf4j.engine.simulation;

import dev.kopf4j.json.Json;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The pages of lists: all pages of a list are of one moment, however late they are asked for. */
final class ListSnapshots {
    private static final Pattern LIMIT = Pattern.compile("[?&]limit=(\\d+)");
    private static final Pattern CONTINUE = Pattern.compile("[?&]continue=(\\w+)");

    private final Map<String, Snapshot> rest = new HashMap<>();
    private int tokens;

    private record Snapshot(long version, List<ObjectNode> objects) {}

    /** True if the request is for the first page. */
    static boolean isFirst(String path) {
        return !CONTINUE.matcher(path).find();
    }

    /** The page that a request asks for. */
    ObjectNode page(String path, long version, Collection<ObjectNode> objects) {
        Matcher token = CONTINUE.matcher(path);
        Snapshot snapshot = token.find()
                ? Objects.requireNonNull(rest.remove(token.group(1)))
                : new Snapshot(version, new ArrayList<>(objects));
        Matcher limit = LIMIT.matcher(path);
        int size = limit.find()
                ? Integer.parseInt(limit.group(1))
                : snapshot.objects().size();
        return page(snapshot, Math.min(size, snapshot.objects().size()));
    }

    private ObjectNode page(Snapshot snapshot, int size) {
        ObjectNode list = Json.object();
        list.put("kind", "KopfExampleList").put("apiVersion", "kopf.dev/v1");
        ArrayNode items = list.putArray("items");
        snapshot.objects().subList(0, size).forEach(items::add);
        ObjectNode metadata = list.putObject("metadata");
        metadata.put("resourceVersion", Long.toString(snapshot.version()));
        if (size < snapshot.objects().size()) {
            String token = "t" + ++tokens;
            rest.put(
                    token,
                    new Snapshot(
                            snapshot.version(),
                            snapshot.objects().subList(size, snapshot.objects().size())));
            metadata.put("continue", token);
        }
        return list;
    }
}
