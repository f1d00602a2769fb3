package dev.kopf4j.devcluster.strategy;

import dev.kopf4j.devcluster.resource.CustomKind;
import dev.kopf4j.devcluster.resource.Resource;
import dev.kopf4j.devcluster.status.FieldError;
import dev.kopf4j.devcluster.types.BuiltinTypes;
import dev.kopf4j.devcluster.types.CanonicalCodec;
import dev.kopf4j.devcluster.types.StructType;
import dev.kopf4j.devcluster.types.TypeDefaults;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/** Finds the rules of a resource: its schema, or the steps that its data names. Thread-safe. */
public final class StrategyRegistry {
    private final Map<String, ResourceStrategy> steps;

    /** With the built-in steps by name. */
    public StrategyRegistry(Map<String, ResourceStrategy> steps) {
        this.steps = Map.copyOf(steps);
    }

    /** The rules of a resource. */
    public ResourceStrategy rules(Resource resource) {
        CustomKind custom = resource.custom();
        if (custom != null) {
            return new CustomResourceStrategy(custom);
        }
        List<ResourceStrategy> named = new ArrayList<>();
        for (String step : resource.resourceTraits().strategies()) {
            ResourceStrategy rules = steps.get(step);
            if (rules != null) {
                named.add(rules);
            }
        }
        return new BuiltinStrategy(BuiltinTypes.get().of(resource), named);
    }

    /** The defaults of the type, then the steps, then the canonical form. */
    private record BuiltinStrategy(Optional<StructType> type, List<ResourceStrategy> parts)
            implements ResourceStrategy {
        @Override
        public void prepare(ObjectDraft objectDraft) {
            type.ifPresent(known -> TypeDefaults.apply(known, objectDraft.next()));
            parts.forEach(part -> part.prepare(objectDraft));
            type.ifPresent(known -> {
                ObjectNode canonical = CanonicalCodec.canonical(known, objectDraft.next(), new ArrayList<>());
                objectDraft.next().removeAll();
                objectDraft.next().setAll(canonical);
            });
        }

        @Override
        public List<FieldError> validate(ObjectDraft objectDraft) {
            return parts.stream()
                    .flatMap(part -> part.validate(objectDraft).stream())
                    .toList();
        }

        @Override
        public List<String> warnings(ObjectDraft objectDraft) {
            return parts.stream()
                    .flatMap(part -> part.warnings(objectDraft).stream())
                    .toList();
        }
    }
}
