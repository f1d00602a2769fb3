package dev.kopf4j.object;

import dev.kopf4j.Body;
import dev.kopf4j.Meta;
import dev.kopf4j.Spec;
import dev.kopf4j.Status;
import dev.kopf4j.integration.ModelBinding;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
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
        return new BodyView((ObjectNode) ModelBinding.json(object));
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

    /** The {@code spec} or the {@code status} of an object. Immutable. */
    private static final class StanzaView extends JsonView implements Spec, Status {
        StanzaView(Supplier<? extends @Nullable JsonNode> source, Supplier<String> title) {
            super(source, title);
        }
    }

    /** The {@code metadata} of an object. Immutable. */
    static final class MetaView extends JsonView implements Meta {
        MetaView(Supplier<? extends @Nullable JsonNode> source, Supplier<String> title) {
            super(source, title);
        }

        @Override
        public String name() {
            return text("name");
        }

        @Override
        public Optional<String> namespace() {
            return Optional.of(text("namespace")).filter(found -> !found.isEmpty());
        }

        @Override
        public String uid() {
            return text("uid");
        }

        @Override
        public Map<String, String> labels() {
            return textMap(node().get("labels"));
        }

        @Override
        public Map<String, String> annotations() {
            return textMap(node().get("annotations"));
        }

        @Override
        public List<String> finalizers() {
            return node().get("finalizers") instanceof ArrayNode list
                    ? list.valueStream().map(JsonNode::asString).toList()
                    : List.of();
        }

        @Override
        public Optional<Instant> creationTimestamp() {
            return get("creationTimestamp", Instant.class);
        }

        @Override
        public Optional<Instant> deletionTimestamp() {
            return get("deletionTimestamp", Instant.class);
        }

        /** By the API's rules, labels and annotations are text. Anything else is returned as JSON. */
        static Map<String, String> textMap(@Nullable JsonNode node) {
            if (!(node instanceof ObjectNode object)) {
                return Map.of();
            }
            Map<String, String> texts = new LinkedHashMap<>();
            object.properties().forEach(entry -> {
                if (!entry.getValue().isNull()) {
                    texts.put(
                            entry.getKey(),
                            entry.getValue().asString(entry.getValue().toString()));
                }
            });
            return Collections.unmodifiableMap(texts);
        }
    }
}
