package dev.kopf4j.devcluster.strategy;

import dev.kopf4j.devcluster.cel.ValidationRules;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.resource.CustomKind;
import dev.kopf4j.devcluster.resource.Resource;
import dev.kopf4j.devcluster.schema.SchemaDefaulting;
import dev.kopf4j.devcluster.schema.SchemaValidation;
import dev.kopf4j.devcluster.status.FieldError;
import dev.kopf4j.devcluster.types.BuiltinTypes;
import dev.kopf4j.devcluster.types.CanonicalCodec;
import dev.kopf4j.devcluster.types.StructType;
import dev.kopf4j.devcluster.types.TypeDefaults;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Finds the strategy of a resource. Thread-safe. */
public final class StrategyRegistry {
    private final Map<String, ResourceStrategy> builtin;

    /**
     * Finds these strategies, those of other built-in kinds by their tables, and those of custom kinds.
     *
     * @param builtin strategies by {@link Resource#qualified()}
     */
    public StrategyRegistry(Map<String, ResourceStrategy> builtin) {
        this.builtin = Map.copyOf(builtin);
    }

    /** The strategy of a resource. */
    public ResourceStrategy of(Resource resource) {
        CustomKind custom = resource.custom();
        if (custom != null) {
            return new CustomResourceStrategy(custom);
        }
        ResourceStrategy strategy = builtin.get(resource.qualified());
        return new BuiltinResourceStrategy(
                BuiltinTypes.get().of(resource),
                strategy == null ? new TableStrategy(table(resource), resource.plural()) : strategy);
    }

    private static RuleTable table(Resource resource) {
        String group = resource.group().isEmpty() ? "core" : resource.group().split("\\.", 2)[0];
        return RuleTable.of(group);
    }

    /**
     * The strategy of a built-in resource: sets the defaults of its type, calls the strategy of its kind, and restores
     * the canonical form, because both add fields behind those that the client sent.
     *
     * @param type empty for the few kinds whose types are not known
     */
    private record BuiltinResourceStrategy(Optional<StructType> type, ResourceStrategy ofKind)
            implements ResourceStrategy {
        @Override
        public void prepare(ObjectDraft draft) {
            type.ifPresent(known -> TypeDefaults.apply(known, draft.next()));
            ofKind.prepare(draft);
            restoreForm(draft);
        }

        @Override
        public void prepareWrite(ObjectDraft draft) {
            type.ifPresent(known -> TypeDefaults.apply(known, draft.next()));
            ofKind.prepareWrite(draft);
            restoreForm(draft);
        }

        private void restoreForm(ObjectDraft draft) {
            type.ifPresent(known -> {
                ObjectNode canonical = CanonicalCodec.canonical(known, draft.next(), new ArrayList<>());
                draft.next().removeAll();
                draft.next().setAll(canonical);
            });
        }

        @Override
        public Runnable begin(ObjectDraft draft) {
            Runnable end = ofKind.begin(draft);
            if (!end.equals(NOTHING_TAKEN)) {
                restoreForm(draft);
            }
            return end;
        }

        @Override
        public void validate(ObjectDraft draft, FieldChecks checks) {
            ofKind.validate(draft, checks);
        }

        @Override
        public boolean checksUpdatesTwice() {
            return ofKind.checksUpdatesTwice();
        }

        @Override
        public List<String> warnings(ObjectDraft draft) {
            return ofKind.warnings(draft);
        }

        @Override
        public List<String> deletionWarnings() {
            return ofKind.deletionWarnings();
        }

        @Override
        public DeletionStrategy deletion() {
            return ofKind.deletion();
        }

        @Override
        public Set<String> resetFields(String subresource) {
            return ofKind.resetFields(subresource);
        }

        @Override
        public Set<String> metadataKeptByStatus() {
            return ofKind.metadataKeptByStatus();
        }

        @Override
        public void validatePatched(ObjectDraft draft, FieldChecks checks) {
            ofKind.validatePatched(draft, checks);
        }

        @Override
        public JsonNode generationPart(Resource resource, ObjectNode object) {
            return ofKind.generationPart(resource, object);
        }
    }

    /**
     * The strategy of custom kinds: defaults and validation by their schema and its rules. The decoder has removed
     * unknown fields. See {@code pkg/registry/customresource/strategy.go} of the apiextensions-apiserver, v1.33.
     */
    private static final class CustomResourceStrategy implements ResourceStrategy {
        /**
         * If a value has one of these errors, CEL rules are not evaluated: they expect values of the right type and
         * size.
         */
        private static final Set<FieldError.Type> BLOCKING = Set.of(
                FieldError.Type.NOT_SUPPORTED,
                FieldError.Type.REQUIRED,
                FieldError.Type.TOO_LONG,
                FieldError.Type.TOO_MANY,
                FieldError.Type.TYPE_INVALID);

        private static final FieldError NOT_CHECKED = FieldError.invalid(
                "<nil>",
                "\"null\"",
                "some validation rules were not checked because the object was invalid; correct the existing errors to"
                        + " complete validation");

        private final CustomKind kind;

        CustomResourceStrategy(CustomKind kind) {
            this.kind = kind;
        }

        @Override
        public void prepare(ObjectDraft draft) {
            ObjectNode metadata = (ObjectNode) draft.next().get("metadata");
            draft.next().remove("metadata");
            SchemaDefaulting.apply(kind.structuralSchema(), draft.next());
            draft.next().set("metadata", metadata);
        }

        @Override
        public void validate(ObjectDraft draft, FieldChecks checks) {
            List<FieldError> causes = SchemaValidation.validate(kind.structuralSchema(), draft.next(), draft.before());
            causes.addAll(scaleFieldErrors(kind.scale(), draft.next()));
            checks.addAll(causes);
            if (!kind.hasRules()) {
                return;
            }
            if (causes.stream().anyMatch(error -> BLOCKING.contains(error.type()))) {
                checks.add(NOT_CHECKED);
            } else {
                ValidationRules.Findings findings = kind.rules().check(draft.next(), draft.before());
                checks.addAll(findings.errors());
                findings.ratcheted().forEach(error -> checks.warn(error.field() + ": " + error.message()));
            }
        }

        @Override
        public JsonNode generationPart(Resource resource, ObjectNode object) {
            return GenerationPart.withoutMetadataAndStatus(resource, object);
        }

        /**
         * What is wrong with the fields of custom objects that their scale subresource shows; nothing if there is no
         * such subresource: {@code pkg/registry/customresource/validator.go} of the apiextensions-apiserver, v1.33.
         */
        private static List<FieldError> scaleFieldErrors(JsonNode scale, JsonNode object) {
            List<FieldError> causes = new ArrayList<>();
            for (String field : List.of("specReplicasPath", "statusReplicasPath")) {
                replicas(Json.string(scale, field), object, causes);
            }
            String path = Json.string(scale, "labelSelectorPath");
            JsonNode selector = Json.atPath(object, path);
            if (!selector.isMissingNode() && !selector.isString()) {
                causes.add(FieldError.invalidString(path, "", path + " accessor error: it is no string"));
            }
            return causes;
        }

        private static void replicas(String path, JsonNode object, List<FieldError> causes) {
            JsonNode replicas = Json.atPath(object, path);
            if (replicas.isMissingNode()) {
                return;
            }
            if (!replicas.isIntegralNumber()) {
                causes.add(FieldError.invalid(path, "0", path + " accessor error: it is no integer"));
            } else if (replicas.longValue() < 0) {
                causes.add(FieldError.invalid(path, Json.text(replicas), "should be a non-negative integer"));
            } else if (replicas.longValue() > Integer.MAX_VALUE) {
                causes.add(FieldError.invalid(
                        path, Json.text(replicas), "should be less than or equal to " + Integer.MAX_VALUE));
            }
        }
    }
}
