package dev.kopf4j.engine.recording;

import dev.kopf4j.client.transport.TransportRequest;
import dev.kopf4j.json.Json;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/**
 * Which fields a patch changes: their paths, three keys deep, without a value. Reads the bytes once, and makes no tree
 * of them. Pure.
 */
final class PatchedPaths {
    private static final int DEPTH = 3;

    private PatchedPaths() {}

    /** The paths, as many at the most; more than that are told by three dots. */
    static List<String> of(TransportRequest request, int most) {
        byte[] body = request.body();
        if (body == null) {
            return List.of();
        }
        List<String> paths = new ArrayList<>();
        try (JsonParser parser = Json.mapper().createParser(body)) {
            if (parser.nextToken() == JsonToken.START_ARRAY) {
                operations(parser, paths, most);
            } else {
                fields(parser, paths, most);
            }
        } catch (JacksonException e) {
            paths.add("(damaged)"); // the server will say so
        }
        return paths;
    }

    /** Of a merge patch, or of an object that is applied. */
    private static void fields(JsonParser parser, List<String> paths, int most) {
        Deque<String> above = new ArrayDeque<>(DEPTH);
        for (JsonToken token = parser.nextToken(); token != null && paths.size() <= most; token = parser.nextToken()) {
            if (token == JsonToken.PROPERTY_NAME) {
                String name = parser.currentName();
                String path = above.isEmpty() ? name : above.getLast() + "." + name;
                JsonToken value = parser.nextToken();
                if (value == JsonToken.START_OBJECT && above.size() < DEPTH - 1) {
                    above.addLast(path);
                } else {
                    parser.skipChildren();
                    add(path, paths, most);
                }
            } else if (token == JsonToken.END_OBJECT) {
                above.pollLast();
            }
        }
    }

    /** Of a JSON patch. Tests change nothing. */
    private static void operations(JsonParser parser, List<String> paths, int most) {
        String operation = "";
        String path = "";
        for (JsonToken token = parser.nextToken(); token != null && paths.size() <= most; token = parser.nextToken()) {
            switch (token) {
                case START_OBJECT -> {
                    operation = "";
                    path = "";
                }
                case PROPERTY_NAME -> {
                    String name = parser.currentName();
                    JsonToken value = parser.nextToken();
                    if (value == JsonToken.VALUE_STRING && name.equals("op")) {
                        operation = parser.getString();
                    } else if (value == JsonToken.VALUE_STRING && name.equals("path")) {
                        path = parser.getString();
                    } else {
                        parser.skipChildren();
                    }
                }
                case END_OBJECT -> {
                    if (!operation.equals("test")) {
                        add(dotted(path), paths, most);
                    }
                }
                default -> {}
            }
        }
    }

    private static String dotted(String pointer) {
        String[] keys = pointer.split("/", -1);
        List<String> shown = new ArrayList<>();
        for (int at = 1; at < keys.length && at <= DEPTH; at++) {
            shown.add(keys[at].replace("~1", "/").replace("~0", "~"));
        }
        return String.join(".", shown);
    }

    /** Who an object is, and which version of it is meant, is no change. */
    private static void add(String path, List<String> paths, int most) {
        boolean identity = switch (path) {
            case "apiVersion",
                    "kind",
                    "metadata.name",
                    "metadata.namespace",
                    "metadata.uid",
                    "metadata.resourceVersion" -> true;
            default -> false;
        };
        if (!identity && !paths.contains(path)) {
            paths.add(paths.size() < most ? path : "...");
        }
    }
}
