package dev.kopf4j.examples;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonElement;
import com.google.gson.ToNumberPolicy;
import dev.kopf4j.ResourceSelector;
import dev.kopf4j.spi.Integration;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.JSON;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Makes the models of the official Java client known: handlers take them as parameters, and {@code Kopf.adopt} changes
 * them. {@link java.util.ServiceLoader} finds it by a file in {@code META-INF/services}. Thread-safe.
 */
public final class OfficialModels implements Integration {
    private static final String PACKAGE = "io.kubernetes.client.openapi.models.";

    /** Whole numbers stay whole. */
    private static final Gson MAPS = new GsonBuilder()
            .setObjectToNumberStrategy(ToNumberPolicy.LONG_OR_DOUBLE)
            .create();

    @Override
    public boolean binds(Class<?> type) {
        return type.getName().startsWith(PACKAGE);
    }

    @Override
    public Object bind(String json, Class<?> type) {
        return JSON.getGson().fromJson(json, type);
    }

    @Override
    public boolean serves(Class<?> type) {
        return false;
    }

    @Override
    public AutoCloseable open(Class<?> type, Access access) {
        throw new UnsupportedOperationException(type.getName());
    }

    @Override
    public boolean isModel(Object object) {
        return binds(object.getClass());
    }

    @Override
    @SuppressWarnings("unchecked") // models are objects in JSON
    public Map<String, @Nullable Object> toMap(Object model) {
        JsonElement tree = JSON.getGson().toJsonTree(model);
        return MAPS.fromJson(tree, Map.class);
    }

    /** Objects and templates have metadata: both have the same pair of methods for it. */
    @Override
    public void changeMetadata(Object model, Consumer<Map<String, @Nullable Object>> change) {
        V1ObjectMeta present = (V1ObjectMeta) call(model, method(model, "getMetadata"));
        Map<String, @Nullable Object> metadata = toMap(present == null ? new V1ObjectMeta() : present);
        change.accept(metadata);
        V1ObjectMeta changed = JSON.getGson().fromJson(MAPS.toJsonTree(metadata), V1ObjectMeta.class);
        call(model, method(model, "setMetadata", V1ObjectMeta.class), changed);
    }

    @Override
    public Optional<Object> part(Object model, String key) {
        String name = "get" + key.substring(0, 1).toUpperCase(java.util.Locale.ROOT) + key.substring(1);
        return Optional.ofNullable(call(model, method(model, name)));
    }

    private static Method method(Object model, String name, Class<?>... parameters) {
        try {
            return model.getClass().getMethod(name, parameters);
        } catch (NoSuchMethodException e) {
            throw new IllegalArgumentException("a " + model.getClass().getSimpleName() + " has no " + name, e);
        }
    }

    private static @Nullable Object call(Object model, Method method, Object... arguments) {
        try {
            return method.invoke(model, arguments);
        } catch (IllegalAccessException | InvocationTargetException e) {
            throw new IllegalArgumentException(method + " cannot be called", e);
        }
    }

    /** Kinds have no groups in the names of these models: handlers name their resource. */
    @Override
    public Optional<ResourceSelector> selector(Class<?> model) {
        return KubernetesObject.class.isAssignableFrom(model)
                        && model.getSimpleName().startsWith("V1")
                ? Optional.of(ResourceSelector.ofKind(model.getSimpleName().substring(2))
                        .inVersion("v1"))
                : Optional.empty();
    }
}
