package dev.kopf4j.devcluster.registry.read;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.resource.Resource;
import dev.kopf4j.devcluster.response.ObjectRenderer;
import dev.kopf4j.devcluster.status.ApiException;
import dev.kopf4j.devcluster.storage.StoredObject;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/**
 * Collects the events of one watch as lines, in the form that the client reads. Confined to the reader of the watch.
 */
final class WatchEventWriter {
    private final Resource resource;
    private final ByteArrayOutputStream lines = new ByteArrayOutputStream();
    private ObjectRenderer renderer;

    WatchEventWriter(Resource resource, ObjectRenderer renderer) {
        this.resource = resource;
        this.renderer = renderer;
    }

    boolean isEmpty() {
        return lines.size() == 0;
    }

    /** The lines since the last call; nothing if there are none. */
    Optional<byte[]> take() {
        if (isEmpty()) {
            return Optional.empty();
        }
        byte[] taken = lines.toByteArray();
        lines.reset();
        return Optional.of(taken);
    }

    void add(String type, StoredObject object) {
        line(type, renderer.object(object));
    }

    void addError(ApiException error) {
        line("ERROR", Json.bytes(error.status()));
    }

    void addBookmark(long version) {
        line("BOOKMARK", Json.bytes(renderer.bookmark(empty(version))));
    }

    /** A bookmark behind the initial events (KEP-3157). */
    void addInitialEnd(long version) {
        ObjectNode object = empty(version);
        Json.child(object, "metadata")
                .putObject("annotations")
                .put("k8s.io/initial-events-end", "true")
                .put("kubernetes.io/initial-events-list-blueprint", blueprint());
        line("BOOKMARK", Json.bytes(renderer.bookmark(object)));
    }

    private ObjectNode empty(long version) {
        ObjectNode object = Json.object().put("kind", resource.kind()).put("apiVersion", resource.apiVersion());
        object.putObject("metadata").put("resourceVersion", String.valueOf(version));
        return object;
    }

    /** The empty list to which a client adds the initial events. */
    private String blueprint() {
        ObjectNode list =
                Json.object().put("kind", resource.names().listKind()).put("apiVersion", resource.apiVersion());
        list.putObject("metadata");
        list.putArray("items");
        return Base64.getEncoder().encodeToString(Json.bytes(list));
    }

    private void line(String type, byte[] object) {
        lines.writeBytes(("{\"type\":\"" + type + "\",\"object\":").getBytes(StandardCharsets.UTF_8));
        lines.writeBytes(object);
        lines.writeBytes(new byte[] {'}', '\n'});
        renderer = renderer.withoutTableHead();
    }
}
