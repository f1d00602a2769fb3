package dev.kopf4j.fabric8;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Converts JSON to models and back with fabric8's own serializer, because others corrupt quantities. Thread-safe. */
final class Fabric8Models {
    private static final ObjectMapper MAPPER = new ObjectMapper();
    /** Configures the mapper; shared with the clients. */
    static final KubernetesSerialization SERIALIZATION = new KubernetesSerialization(MAPPER, true);

    private static final TypeReference<Map<String, @Nullable Object>> MAP = new TypeReference<>() {};

    private Fabric8Models() {}

    /** Unknown fields are ignored, as they are for records: newer servers and other versions have more of them. */
    static Object bind(String json, Class<?> type) {
        try {
            return MAPPER.readerFor(type)
                    .without(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                    .readValue(json);
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

    static @Nullable Object toValue(Object value) {
        return MAPPER.convertValue(value, Object.class);
    }

    static <T> T fromMap(Map<String, @Nullable Object> map, Class<T> type) {
        return MAPPER.convertValue(map, type);
    }
}
