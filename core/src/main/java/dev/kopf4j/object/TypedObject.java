package dev.kopf4j.object;

import dev.kopf4j.Body;
import dev.kopf4j.Conditions;
import dev.kopf4j.CustomObject;
import dev.kopf4j.HandlerContext;
import dev.kopf4j.Meta;
import dev.kopf4j.Patch;
import dev.kopf4j.Status;
import dev.kopf4j.TypeRef;
import dev.kopf4j.json.Json;
import dev.kopf4j.json.MergeDifference;
import dev.kopf4j.json.MergePatch;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * The object of a handler's call in types of the user's own. Confined to the handler's thread.
 *
 * @param <S> the type of the spec
 * @param <T> the type of the status
 */
public final class TypedObject<S, T> implements CustomObject<S, T> {
    private final HandlerContext context;
    private final TypeRef<S> specType;
    private final TypeRef<T> statusType;

    /** The object of the call. */
    public TypedObject(HandlerContext context, TypeRef<S> specType, TypeRef<T> statusType) {
        this.context = context;
        this.specType = specType;
        this.statusType = statusType;
    }

    @Override
    public String name() {
        return context.name();
    }

    @Override
    public Optional<String> namespace() {
        return context.namespace();
    }

    @Override
    public Meta meta() {
        return context.meta();
    }

    @Override
    public Body body() {
        return context.body();
    }

    @Override
    public S spec() {
        return context.spec().as(specType);
    }

    @Override
    public Optional<T> status() {
        Status status = context.status();
        return status.isEmpty() ? Optional.empty() : Optional.of(status.as(statusType));
    }

    @Override
    @SuppressWarnings("unchecked") // an object is a map
    public CustomObject<S, T> status(T status) {
        Patch changes = context.patch().status();
        ObjectNode actual = MergePatch.apply(
                (ObjectNode) Json.fromJava(context.status().toMap()), (ObjectNode) Json.fromJava(changes.toMap()));
        ObjectNode wanted = fields(status);
        if (wanted.path("conditions").isNull()) {
            wanted.remove("conditions");
        }
        ObjectNode difference = MergeDifference.ofFields(actual, wanted);
        if (!difference.isEmpty()) {
            changes.merge((Map<String, @Nullable Object>) Objects.requireNonNull(Json.toJava(difference)));
        }
        return this;
    }

    private static ObjectNode fields(Object status) {
        if (Json.fromJava(status) instanceof ObjectNode object) {
            return object;
        }
        throw new IllegalArgumentException(
                "a status has fields, but " + status.getClass().getName() + " is written as " + Json.fromJava(status)
                        + "; give a record, a bean or a map");
    }

    @Override
    public Conditions conditions() {
        return context.conditions();
    }

    @Override
    public Patch patch() {
        return context.patch();
    }
}
