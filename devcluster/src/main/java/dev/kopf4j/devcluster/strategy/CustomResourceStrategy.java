package dev.kopf4j.devcluster.strategy;

import dev.kopf4j.devcluster.cel.ValidationRules;
import dev.kopf4j.devcluster.resource.CustomKind;
import dev.kopf4j.devcluster.resource.Resource;
import dev.kopf4j.devcluster.schema.SchemaDefaulting;
import dev.kopf4j.devcluster.schema.SchemaValidation;
import dev.kopf4j.devcluster.status.FieldError;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The strategy of custom kinds: defaults and validation by their schema and its rules. The decoder has removed unknown
 * fields. See {@code pkg/registry/customresource/strategy.go} of the apiextensions-apiserver, v1.33.
 */
final class CustomResourceStrategy implements ResourceStrategy {
    /**
     * If a value has one of these errors, CEL rules are not evaluated: they expect values of the right type and size.
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
        causes.addAll(ScaleFieldValidation.check(kind.scale(), draft.next()));
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
}
