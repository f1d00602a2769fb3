package dev.kopf4j.object;

import dev.kopf4j.Body;
import dev.kopf4j.Meta;
import dev.kopf4j.Spec;
import dev.kopf4j.Status;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** A whole object, or always its newest state. Immutable in the first case, as long as nobody changes the tree. */
public final class BodyView extends JsonView implements Body {
    /** Null if the tree tells it. */
    private final @Nullable ObjectReference reference;

    /** A view of an object; the tree must not be changed any more. */
    public BodyView(ObjectNode node) {
        super(node, "");
        this.reference = null;
    }

    /** A live view of an object; its stanzas are live too. */
    public BodyView(Supplier<ObjectNode> newest, ObjectReference reference) {
        super(newest, "");
        this.reference = reference;
    }

    /** Made when somebody asks: there is a view for each state in which an object is looked at. */
    @Override
    String title() {
        return (reference == null ? ObjectReference.of(node()) : reference).describe();
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
        return new MetaView(() -> node().get("metadata"), "metadata of " + title());
    }

    @Override
    public Spec spec() {
        return new StanzaView(() -> node().get("spec"), "spec of " + title());
    }

    @Override
    public Status status() {
        return new StanzaView(() -> node().get("status"), "status of " + title());
    }

    private String text(String key) {
        JsonNode found = node().get(key);
        return found == null ? "" : found.asString("");
    }
}
