package dev.kopf4j.object;

import dev.kopf4j.Body;
import dev.kopf4j.Conditions;
import dev.kopf4j.CustomObject;
import dev.kopf4j.HandlerContext;
import dev.kopf4j.Meta;
import dev.kopf4j.Patch;
import dev.kopf4j.Status;
import dev.kopf4j.TypeRef;
import java.util.Objects;
import java.util.Optional;

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
    public CustomObject<S, T> status(T status) {
        context.patch().status(Objects.requireNonNull(status, "status"));
        return this;
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
