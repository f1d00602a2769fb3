package dev.kopf4j.devcluster.strategy;

import dev.kopf4j.devcluster.resource.CustomKind;
import dev.kopf4j.devcluster.schema.SchemaDefaulting;
import dev.kopf4j.devcluster.schema.SchemaValidation;
import dev.kopf4j.devcluster.status.FieldError;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.node.ObjectNode;

/** The rules of custom kinds: their schema. Unknown fields are already gone when a draft comes here. */
public final class CustomResourceStrategy implements ResourceStrategy {
    /** With these the shape or the size of a value may be one that expressions are not made for. */
    private static final Set<FieldError.Type> HINDERING = Set.of(
            FieldError.Type.NOT_SUPPORTED,
            FieldError.Type.REQUIRED,
            FieldError.Type.TOO_LONG,
            FieldError.Type.TOO_MANY,
            FieldError.Type.TYPE_INVALID);

    private final CustomKind kind;

    /** The rules of one version of a kind. */
    public CustomResourceStrategy(CustomKind kind) {
        this.kind = kind;
    }

    @Override
    public void prepare(ObjectDraft objectDraft) {
        ObjectNode metadata = (ObjectNode) objectDraft.next().get("metadata");
        objectDraft.next().remove("metadata");
        SchemaDefaulting.apply(kind.structuralSchema(), objectDraft.next());
        objectDraft.next().set("metadata", metadata);
    }

    @Override
    public List<FieldError> validate(ObjectDraft objectDraft) {
        List<FieldError> causes =
                SchemaValidation.validate(kind.structuralSchema(), objectDraft.next(), objectDraft.before());
        causes.addAll(ScaleFieldValidation.check(kind.scale(), objectDraft.next()));
        if (!kind.hasRules()) {
            return causes;
        }
        List<FieldError> more = new ArrayList<>(causes);
        if (causes.stream().noneMatch(fieldError -> HINDERING.contains(fieldError.type()))) {
            more.addAll(kind.rules().check(objectDraft.next(), objectDraft.before()));
            return more;
        }
        more.add(FieldError.invalid(
                "<nil>",
                "\"null\"",
                "some validation rules were not checked because the object was invalid; correct the existing errors to"
                        + " complete validation"));
        return more;
    }
}
