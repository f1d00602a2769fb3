package dev.kopf4j.devcluster.kind;

import dev.kopf4j.devcluster.resource.CustomKind;
import dev.kopf4j.devcluster.resource.Resource;
import dev.kopf4j.devcluster.status.Cause;
import dev.kopf4j.devcluster.type.Codec;
import dev.kopf4j.devcluster.type.Defaults;
import dev.kopf4j.devcluster.type.StructType;
import dev.kopf4j.devcluster.type.TypeTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/** Finds the rules of a resource: its schema, or the steps that its data names. Thread-safe. */
public final class Kinds {
    private final Map<String, KindRules> steps;

    /** With the built-in steps by name. */
    public Kinds(Map<String, KindRules> steps) {
        this.steps = Map.copyOf(steps);
    }

    /** The rules of a resource. */
    public KindRules rules(Resource resource) {
        CustomKind custom = resource.custom();
        if (custom != null) {
            return new CustomRules(custom);
        }
        List<KindRules> named = new ArrayList<>();
        for (String step : resource.traits().steps()) {
            KindRules rules = steps.get(step);
            if (rules != null) {
                named.add(rules);
            }
        }
        return new Sequence(TypeTable.get().of(resource), named);
    }

    /** The defaults of the type, then the steps, then the canonical form. */
    private record Sequence(Optional<StructType> type, List<KindRules> parts) implements KindRules {
        @Override
        public void prepare(Draft draft) {
            type.ifPresent(known -> Defaults.apply(known, draft.next()));
            parts.forEach(part -> part.prepare(draft));
            type.ifPresent(known -> {
                ObjectNode canonical = Codec.canonical(known, draft.next(), new ArrayList<>());
                draft.next().removeAll();
                draft.next().setAll(canonical);
            });
        }

        @Override
        public List<Cause> check(Draft draft) {
            return parts.stream().flatMap(part -> part.check(draft).stream()).toList();
        }

        @Override
        public List<String> warnings(Draft draft) {
            return parts.stream().flatMap(part -> part.warnings(draft).stream()).toList();
        }
    }
}
