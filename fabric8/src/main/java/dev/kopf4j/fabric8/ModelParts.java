package dev.kopf4j.fabric8;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads the top-level parts of models, such as {@code spec}, by their getters. Thread-safe. */
final class ModelParts {
    private ModelParts() {}

    /** Its part with this key of its JSON form; empty if the object has none. */
    static Optional<Object> get(Object model, String key) {
        if (model instanceof GenericKubernetesResource generic && !key.equals("metadata")) {
            return Optional.ofNullable(generic.getAdditionalProperties().get(key));
        }
        if (model instanceof ObjectNode tree) {
            return tree.get(key) instanceof ObjectNode part ? Optional.of(part) : Optional.empty();
        }
        return Optional.ofNullable(read(model, getter(model, key)));
    }

    private static Method getter(Object model, String key) {
        String name = "get" + key.substring(0, 1).toUpperCase(Locale.ROOT) + key.substring(1);
        try {
            return model.getClass().getMethod(name);
        } catch (NoSuchMethodException e) {
            throw new IllegalArgumentException(
                    "a " + model.getClass().getSimpleName() + " has no part '" + key + "'", e);
        }
    }

    private static @Nullable Object read(Object model, Method getter) {
        try {
            getter.setAccessible(true); // models of users' single-file operators are not public classes
            return getter.invoke(model);
        } catch (IllegalAccessException | InvocationTargetException e) {
            throw new IllegalArgumentException(
                    getter + " of " + model.getClass().getName() + " cannot be called: " + e.getCause(), e);
        }
    }
}
