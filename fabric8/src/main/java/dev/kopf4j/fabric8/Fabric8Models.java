package dev.kopf4j.fabric8;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.kopf4j.HandlerDeclarationException;
import dev.kopf4j.ResourceSelector;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Converts JSON to models and back with fabric8's own serializer, because others corrupt quantities. Thread-safe. */
final class Fabric8Models {
    private static final ObjectMapper MAPPER = new ObjectMapper();
    /** Configures the mapper; shared with the clients. */
    static final KubernetesSerialization SERIALIZATION = new KubernetesSerialization(MAPPER, true);

    private static final TypeReference<Map<String, @Nullable Object>> MAP = new TypeReference<>() {};

    private Fabric8Models() {}

    static Object bind(String json, Class<?> type) {
        try {
            return MAPPER.readValue(json, type);
        } catch (JsonMappingException e) {
            throw new IllegalArgumentException(path(e) + ": " + e.getOriginalMessage(), e);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("malformed JSON: " + e.getOriginalMessage(), e);
        }
    }

    private static String path(JsonMappingException e) {
        String path = e.getPath().stream()
                .map(step -> step.getFieldName() == null ? "[" + step.getIndex() + "]" : "." + step.getFieldName())
                .collect(Collectors.joining());
        return path.isEmpty() ? "the whole object" : path.startsWith(".") ? path.substring(1) : path;
    }

    static Map<String, @Nullable Object> toMap(Object model) {
        return MAPPER.convertValue(model, MAP);
    }

    static <T> T fromMap(Map<String, @Nullable Object> map, Class<T> type) {
        return MAPPER.convertValue(map, type);
    }

    static Optional<Object> part(Object model, String key) {
        if (model instanceof GenericKubernetesResource generic && !key.equals("metadata")) {
            return Optional.ofNullable(generic.getAdditionalProperties().get(key));
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

    static Optional<ResourceSelector> selector(Class<?> model) {
        if (!HasMetadata.class.isAssignableFrom(model) || GenericKubernetesResource.class.isAssignableFrom(model)) {
            return Optional.empty();
        }
        String version = HasMetadata.getVersion(model);
        if (version == null) {
            throw new HandlerDeclarationException("model class " + model.getName()
                    + " does not say which resource it stands for: annotate it with fabric8's @Group and @Version");
        }
        String group = HasMetadata.getGroup(model);
        String kind = HasMetadata.getKind(model);
        return Optional.of(ResourceSelector.ofKind(kind)
                .inGroup(group == null ? "" : group)
                .inVersion(version));
    }
}
