package dev.kopf4j.engine.orchestration;

import dev.kopf4j.engine.cause.DeletionState;
import dev.kopf4j.json.Json;
import dev.kopf4j.spi.WriteListener;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Brings indices and known children up to what the operator itself writes, before its streams tell of it. Thread-safe.
 *
 * @param streams the streams at the moment
 */
record OwnWrites(Supplier<List<ResourceStream>> streams) implements WriteListener {
    private static final Logger log = LoggerFactory.getLogger("kopf4j.reactor");
    private static final Set<String> WRITING = Set.of("POST", "PUT", "PATCH", "DELETE");

    @Override
    public void answered(String method, String target, byte[] answer) {
        boolean written = WRITING.contains(method) && !target.contains("dryRun=");
        if (!written || answer.length == 0 || streams.get().stream().noneMatch(ResourceStream::closesGate)) {
            return;
        }
        try {
            if (Json.parse(answer) instanceof ObjectNode object) {
                take(method.equals("DELETE"), object);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            log.warn(
                    "What was written by {} {} is known when the server tells of it: {}", method, target, e.toString());
        }
    }

    private void take(boolean deleting, ObjectNode object) throws InterruptedException {
        JsonNode details = object.path("details");
        if (object.path("kind").asString("").equals("Status")) {
            if (deleting && details.has("uid")) {
                gone(details.path("uid").asString(""));
            }
        } else if (deleting && !DeletionState.isRequested(object)) {
            gone(object.path("metadata").path("uid").asString(""));
        } else {
            written(object);
        }
    }

    private void written(ObjectNode object) throws InterruptedException {
        for (ResourceStream stream : streams.get()) {
            if (stream.key().isOf(object)) {
                stream.written(object);
            }
        }
    }

    /** Each object has a uid of its own, so that no stream takes another one for it. */
    private void gone(String uid) {
        streams.get().forEach(stream -> stream.writtenAway(uid));
    }

    /** A child was applied; whom it belongs to is known by who applies it. */
    void applied(ObjectNode child) throws InterruptedException {
        for (ResourceStream stream : streams.get()) {
            if (stream.key().isOf(child)) {
                stream.dispatcher().written(child);
            }
        }
    }
}
