package dev.kopf4j.object;

import dev.kopf4j.Patch;
import dev.kopf4j.View;
import dev.kopf4j.integration.ModelBinding;
import dev.kopf4j.json.FieldPath;
import dev.kopf4j.json.Json;
import dev.kopf4j.json.MergePatch;
import dev.kopf4j.object.PatchContent.PatchTransformation;
import dev.kopf4j.runtime.Task.TaskEndError;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The patch of one handler's call, or the part of it below a path. Confined to the handler's thread. */
public final class ObjectPatch implements Patch {
    private final Supplier<ObjectNode> body;
    private final PatchContent content;
    private final FieldPath base;

    /**
     * Makes a patch that fills the given content.
     *
     * @param body the object as the handler sees it: to daemons always its newest state
     */
    public ObjectPatch(Supplier<ObjectNode> body, PatchContent content) {
        this(body, content, FieldPath.ROOT);
    }

    private ObjectPatch(Supplier<ObjectNode> body, PatchContent content, FieldPath base) {
        this.body = body;
        this.content = content;
        this.base = base;
    }

    @Override
    public Patch set(String path, @Nullable Object value) {
        return put(FieldPath.parse(path), value);
    }

    @Override
    public Patch set(List<String> keys, @Nullable Object value) {
        return put(new FieldPath(keys), value);
    }

    private Patch put(FieldPath path, @Nullable Object value) {
        FieldPath full = base.append(path);
        if (full.keys().isEmpty()) {
            throw new IllegalArgumentException("a patch cannot set the whole object; set its fields");
        }
        ObjectNode fragment = Json.object();
        full.ensure(fragment, ModelBinding.json(value));
        content.change(() -> MergePatch.mergeInto(content.merge(), fragment));
        return this;
    }

    @Override
    public Patch merge(Map<String, ? extends @Nullable Object> fragment) {
        JsonNode tree = ModelBinding.json(fragment);
        ObjectNode full = base.keys().isEmpty() ? (ObjectNode) tree : Json.object();
        if (!base.keys().isEmpty()) {
            base.ensure(full, tree);
        }
        content.change(() -> MergePatch.mergeInto(content.merge(), full));
        return this;
    }

    @Override
    public Patch spec() {
        return below("spec");
    }

    @Override
    public Patch status() {
        return below("status");
    }

    @Override
    public Patch status(Object status) {
        content.change(() -> {
            ObjectNode difference = TypedStatus.of(status).differenceTo(content.preview(body.get()));
            if (!difference.isEmpty()) {
                MergePatch.mergeInto(content.merge().withObject("/status"), difference);
            }
        });
        return this;
    }

    @Override
    public Patch meta() {
        return below("metadata");
    }

    private Patch below(String key) {
        return new ObjectPatch(body, content, base.append(key));
    }

    @Override
    public Patch label(String key, @Nullable String value) {
        return new ObjectPatch(body, content).put(FieldPath.of("metadata", "labels", key), value);
    }

    @Override
    public Patch annotation(String key, @Nullable String value) {
        return new ObjectPatch(body, content).put(FieldPath.of("metadata", "annotations", key), value);
    }

    @Override
    public Patch transform(Consumer<Map<String, @Nullable Object>> change) {
        PatchTransformation transformation = body -> {
            Map<String, @Nullable Object> map = Json.toMutableMap(body);
            change.accept(map);
            ObjectNode changed = (ObjectNode) ModelBinding.json(map);
            body.removeAll();
            body.setAll(changed);
        };
        content.change(() -> content.transform(transformation));
        return this;
    }

    @Override
    public int pendingTransformations() {
        return content.pendingTransformations();
    }

    @Override
    public boolean isEmpty() {
        return content.isEmpty();
    }

    @Override
    @SuppressWarnings("unchecked")
    public Map<String, @Nullable Object> toMap() {
        JsonNode part = base.keys().isEmpty() ? content.merge() : base.resolve(content.merge());
        return part instanceof ObjectNode object
                ? (Map<String, @Nullable Object>) Objects.requireNonNull(Json.toJava(object))
                : Map.of();
    }

    /**
     * A status in a type of the user's own. Immutable.
     *
     * @param fields its fields; null for those that are to be removed
     * @param type the type
     */
    private record TypedStatus(ObjectNode fields, Class<?> type) {
        /** Types that have whatever fields there are. */
        private static final List<Class<?>> KNOW_ALL = List.of(Map.class, View.class, JsonNode.class);

        /**
         * The status that a record, bean or map says.
         *
         * @throws IllegalArgumentException if it has no fields
         */
        static TypedStatus of(Object status) {
            if (!(ModelBinding.json(status) instanceof ObjectNode fields)) {
                throw new IllegalArgumentException("a status has fields, but "
                        + status.getClass().getName() + " is written as " + ModelBinding.json(status)
                        + "; give a record, a bean or a map");
            }
            if (fields.path("conditions").isNull()) {
                fields.remove("conditions");
            }
            return new TypedStatus(fields, status.getClass());
        }

        /** The merge patch that makes it the status of an object. */
        ObjectNode differenceTo(ObjectNode body) {
            ObjectNode actual = body.get("status") instanceof ObjectNode present ? present : Json.object();
            if (!(seen(actual) instanceof ObjectNode known)) {
                return MergePatch.addition(actual, fields);
            }
            ObjectNode wanted = fields.deepCopy();
            UnknownFields.keep(actual, known, wanted, "status");
            return MergePatch.difference(actual, wanted);
        }

        /**
         * What the type knows of those fields that get a value; null if that cannot be told, as they do not fit the
         * type.
         */
        private @Nullable JsonNode seen(ObjectNode actual) {
            if (KNOW_ALL.stream().anyMatch(each -> each.isAssignableFrom(type))) {
                return actual;
            }
            ObjectNode concerned = Json.object();
            actual.forEachEntry((key, value) -> {
                if (fields.hasNonNull(key)) {
                    concerned.set(key, value);
                }
            });
            try {
                return ModelBinding.json(ModelBinding.bind(concerned, type, FieldPath.ROOT, () -> "the status"));
            } catch (Throwable e) {
                TaskEndError.letThrough(e);
                return null;
            }
        }
    }
}
