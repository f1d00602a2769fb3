package dev.kopf4j.fabric8;

import java.util.Arrays;
import java.util.Objects;
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

    private static final ClassValue<Boolean> MODELS = new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
            return type.getName().equals(MODEL) || superTypes(type).anyMatch(this::get);
        }
    };

    private Fabric8Types() {}

    /** True for whole objects and for the parts that they consist of. */
    static boolean isModel(Class<?> type) {
        return MODELS.get(type);
    }

    /** True for the JSON trees that its models have inside. */
    static boolean isTree(Class<?> type) {
        return type.getName().equals(TREE);
    }

    static boolean isClient(Class<?> type) {
        return CLIENTS.contains(type.getName());
    }

    private static Stream<Class<?>> superTypes(Class<?> type) {
        return Stream.concat(Stream.ofNullable(type.getSuperclass()), Arrays.stream(type.getInterfaces()))
                .filter(Objects::nonNull);
    }
}
