package dev.kopf4j.hierarchy;

import dev.kopf4j.View;
import dev.kopf4j.integration.IntegrationLookup;
import dev.kopf4j.json.Json;
import dev.kopf4j.spi.Integration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** Access to the metadata of an object, or of a part of one, to change it in place. Confined to the caller's thread. */
public sealed interface MetadataAccess
        permits MetadataAccess.MapMetadata, MetadataAccess.ModelMetadata, MetadataAccess.TreeMetadata {
    /** Changes the {@code metadata}; the change gets it as mutable maps and lists, empty if there is none. */
    void changeMetadata(Consumer<Map<String, @Nullable Object>> change);

    /** Returns the part below a key; empty if it is missing, or cannot have metadata. */
    Optional<MetadataAccess> part(String key);

    /** Returns the part below the keys, one below the other. */
    default Optional<MetadataAccess> part(List<String> keys) {
        Optional<MetadataAccess> part = Optional.of(this);
        for (String key : keys) {
            part = part.flatMap(metadataAccess -> metadataAccess.part(key));
        }
        return part;
    }

    /**
     * Returns the access to all objects that a user has given: an object, or collections of objects, also nested; nulls
     * are passed over.
     *
     * @throws IllegalArgumentException if something in it is no object, or cannot be changed
     */
    static List<MetadataAccess> in(@Nullable Object objects) {
        return switch (objects) {
            case null -> List.of();
            case View view ->
                throw new IllegalArgumentException(
                        "a " + view.getClass().getSimpleName()
                                + " is a read-only view; to change a copy of the object, pass its toMap() in a new LinkedHashMap");
            case Map<?, ?> map -> List.of(new MapMetadata(asObject(map)));
            case ObjectNode tree -> List.of(new TreeMetadata(tree));
            case Collection<?> many -> all(many);
            case Iterable<?> many
            when IntegrationLookup.forModel(many).isEmpty() -> all(many); // trees are iterable, too
            case Object[] many -> all(Arrays.asList(many));
            default -> List.of(new ModelMetadata(objects, IntegrationLookup.required(objects)));
        };
    }

    private static List<MetadataAccess> all(Iterable<?> many) {
        List<MetadataAccess> targets = new ArrayList<>();
        for (Object one : many) {
            targets.addAll(in(one));
        }
        return targets;
    }

    @SuppressWarnings("unchecked") // JSON objects have strings as keys
    private static Map<String, @Nullable Object> asObject(Map<?, ?> map) {
        return (Map<String, @Nullable Object>) map;
    }

    /**
     * A map. Its {@code metadata} is replaced by a changed copy, so it may be immutable.
     *
     * @param object the map
     */
    record MapMetadata(Map<String, @Nullable Object> object) implements MetadataAccess {
        @Override
        public void changeMetadata(Consumer<Map<String, @Nullable Object>> change) {
            Map<String, @Nullable Object> metadata =
                    object.get("metadata") instanceof Map<?, ?> map ? copy(map) : copy(Map.of());
            change.accept(metadata);
            try {
                object.put("metadata", metadata);
            } catch (UnsupportedOperationException e) {
                throw new IllegalArgumentException(
                        "the object is an immutable map (" + object.getClass().getName()
                                + ") and cannot be changed in place; pass new LinkedHashMap<>(object)",
                        e);
            }
        }

        @Override
        public Optional<MetadataAccess> part(String key) {
            return object.get(key) instanceof Map<?, ?> map
                    ? Optional.of(new MapMetadata(asObject(map)))
                    : Optional.empty();
        }

        private static Map<String, @Nullable Object> copy(Map<?, ?> map) {
            Map<String, @Nullable Object> copy = new LinkedHashMap<>();
            map.forEach((key, value) -> copy.put(String.valueOf(key), copyOf(value)));
            return copy;
        }

        private static @Nullable Object copyOf(@Nullable Object value) {
            return switch (value) {
                case Map<?, ?> map -> copy(map);
                case List<?> list -> copy(list);
                case null, default -> value;
            };
        }

        private static List<@Nullable Object> copy(List<?> list) {
            List<@Nullable Object> copy = new ArrayList<>();
            list.forEach(item -> copy.add(copyOf(item)));
            return copy;
        }
    }

    /**
     * A model of a client library.
     *
     * @param model the model
     * @param library the integration that knows it
     */
    record ModelMetadata(Object model, Integration library) implements MetadataAccess {
        @Override
        public void changeMetadata(Consumer<Map<String, @Nullable Object>> change) {
            library.changeMetadata(model, change);
        }

        @Override
        public Optional<MetadataAccess> part(String key) {
            return library.part(model, key).flatMap(ModelMetadata::ofPart);
        }

        private static Optional<MetadataAccess> ofPart(Object part) {
            return part instanceof Map<?, ?> map
                    ? Optional.of(new MapMetadata(asObject(map)))
                    : IntegrationLookup.forModel(part).map(library -> new ModelMetadata(part, library));
        }
    }

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
}
