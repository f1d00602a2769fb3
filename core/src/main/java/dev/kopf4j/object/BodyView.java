package dev.kopf4j.object;

import dev.kopf4j.Body;
import dev.kopf4j.Meta;
import dev.kopf4j.Spec;
import dev.kopf4j.Status;
import dev.kopf4j.json.Json;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A view of a whole object, or a live view of its newest state. The first one is immutable as long as nobody changes
 * the tree.
 */
public final class BodyView extends JsonView implements Body {
    /** Makes a view of an object; nobody may change the tree any more. */
    public BodyView(ObjectNode node) {
        super(() -> node, () -> ObjectReference.of(node).describe());
    }

    /** A view of a copy of the map. */
    public static Body of(Map<String, ? extends @Nullable Object> object) {
        return new BodyView((ObjectNode) Json.fromJava(object));
    }

    /** Makes a live view of an object; its stanzas are live too. */
    public BodyView(Supplier<ObjectNode> newest, ObjectReference reference) {
        super(newest, reference::describe);
    }

    @Override
    public String apiVersion() {
        return text("apiVersion");
    }

    @Override
    public String kind() {
        return text("kind");
    }

    @Override
    public Meta meta() {
        return new MetaView(() -> node().get("metadata"), () -> "metadata of " + title());
    }

    @Override
    public Spec spec() {
        return new StanzaView(() -> node().get("spec"), () -> "spec of " + title());
    }

    @Override
    public Status status() {
        return new StanzaView(() -> node().get("status"), () -> "status of " + title());
    }

    private String text(String key) {
        JsonNode found = node().get(key);
        return found == null ? "" : found.asString("");
    }
}
