package dev.kopf4j.fabric8;

import java.util.Arrays;
import java.util.Set;
import java.util.stream.Stream;

/** Recognizes fabric8's types by their names, so that other types do not load fabric8. Thread-safe. */
final class Fabric8Types {
    private static final String MODEL = "io.fabric8.kubernetes.api.model.KubernetesResource";
    private static final String TREE = "com.fasterxml.jackson.databind.node.ObjectNode";
    private static final Set<String> CLIENTS = Set.of(
            "io.fabric8.kubernetes.client.Client",
            "io.fabric8.kubernetes.client.KubernetesClient",
            "io.fabric8.kubernetes.client.NamespacedKubernetesClient");

    private static final SubTypes MODELS = new SubTypes(Set.of(MODEL));

    /** What has a form of its own in JSON: models, and single values that are none. */
    private static final SubTypes VALUES = new SubTypes(Set.of(
            MODEL,
            "io.fabric8.kubernetes.api.model.Quantity",
            "io.fabric8.kubernetes.api.model.AnyType",
            "com.fasterxml.jackson.databind.JsonNode"));

    private Fabric8Types() {}

    /** True for whole objects and for the parts that they consist of. */
    static boolean isModel(Class<?> type) {
        return MODELS.get(type);
    }

    /** True for models, and for what its serialiser alone reads and writes besides, such as quantities. */
    static boolean isValue(Class<?> type) {
        return VALUES.get(type);
    }

    /** True for the JSON trees that its models have inside. */
    static boolean isTree(Class<?> type) {
        return type.getName().equals(TREE);
    }

    static boolean isClient(Class<?> type) {
        return CLIENTS.contains(type.getName());
    }

    /** Whether a type is one of some types, or below one of them. */
    private static final class SubTypes extends ClassValue<Boolean> {
        private final Set<String> names;

        SubTypes(Set<String> names) {
            this.names = names;
        }

        @Override
        protected Boolean computeValue(Class<?> type) {
            return names.contains(type.getName()) || superTypes(type).anyMatch(this::get);
        }

        private static Stream<Class<?>> superTypes(Class<?> type) {
            return Stream.concat(Stream.ofNullable(type.getSuperclass()), Arrays.stream(type.getInterfaces()));
        }
    }
}
