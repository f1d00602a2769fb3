package dev.kopf4j.hierarchy;

import dev.kopf4j.json.Json;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * A JSON tree.
 *
 * @param object the tree
 */
record TreeMetadata(ObjectNode object) implements MetadataAccess {
    private static final String METADATA = "metadata";

    @Override
    public void changeMetadata(Consumer<Map<String, @Nullable Object>> change) {
        ObjectNode present = object.get(METADATA) instanceof ObjectNode tree ? tree : Json.object();
        Map<String, @Nullable Object> metadata = Json.toMutableMap(present);
        change.accept(metadata);
        object.set(METADATA, Json.fromJava(metadata));
    }

    @Override
    public Optional<MetadataAccess> part(String key) {
        return object.get(key) instanceof ObjectNode part ? Optional.of(new TreeMetadata(part)) : Optional.empty();
    }
}
