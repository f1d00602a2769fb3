package dev.kopf4j.engine.queueing;

import dev.kopf4j.Resource;
import dev.kopf4j.json.Json;
import dev.kopf4j.object.ObjectReference;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import tools.jackson.databind.node.ObjectNode;

/** Tells objects apart. Pure. */
final class ObjectIdentity {
    private ObjectIdentity() {}

    /** The key of an object: its uid; objects without one are told apart by what names them. */
    static String key(ObjectReference reference, Supplier<ObjectNode> body) {
        String uid = reference.uid();
        return uid == null || uid.isEmpty() ? composed(body.get()) : uid;
    }

    private static String composed(ObjectNode body) {
        List<String> parts = new ArrayList<>();
        for (String key : List.of("kind", "apiVersion")) {
            parts.add(body.path(key).asString("-"));
        }
        for (String key : List.of("name", "namespace", "creationTimestamp")) {
            parts.add(body.path("metadata").path(key).asString("-"));
        }
        return String.join("//", parts);
    }

    /** The body of an object that has vanished from the list: nothing but its identity is known. */
    static ObjectNode vanished(Resource resource, ObjectQueue queue) {
        ObjectNode body = Json.object();
        body.put("apiVersion", resource.apiVersion());
        body.put("kind", resource.kind());
        ObjectNode metadata = body.putObject("metadata");
        metadata.put("name", queue.reference().name());
        if (queue.reference().namespace() != null) {
            metadata.put("namespace", queue.reference().namespace());
        }
        metadata.put("uid", queue.uid());
        return body;
    }
}
