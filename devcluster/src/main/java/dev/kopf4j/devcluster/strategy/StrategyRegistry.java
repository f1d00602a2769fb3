package dev.kopf4j.devcluster.strategy;

import dev.kopf4j.devcluster.resource.CustomKind;
import dev.kopf4j.devcluster.resource.Resource;
import dev.kopf4j.devcluster.types.BuiltinTypes;
import java.util.Map;

/** Finds the strategy of a resource. Thread-safe. */
public final class StrategyRegistry {
    private static final ResourceStrategy NOTHING_OF_ITS_OWN = new ResourceStrategy() {};

    private final Map<String, ResourceStrategy> builtin;

    /**
     * Finds these strategies, and those of custom kinds.
     *
     * @param builtin strategies by {@link Resource#qualified()}
     */
    public StrategyRegistry(Map<String, ResourceStrategy> builtin) {
        this.builtin = Map.copyOf(builtin);
    }

    /** The strategy of a resource. */
    public ResourceStrategy of(Resource resource) {
        CustomKind custom = resource.custom();
        return custom != null
                ? new CustomResourceStrategy(custom)
                : new BuiltinResourceStrategy(
                        BuiltinTypes.get().of(resource),
                        builtin.getOrDefault(resource.qualified(), NOTHING_OF_ITS_OWN));
    }
}
