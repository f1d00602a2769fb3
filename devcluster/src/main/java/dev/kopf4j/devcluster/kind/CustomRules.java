package dev.kopf4j.devcluster.kind;

import dev.kopf4j.devcluster.resource.CustomKind;
import dev.kopf4j.devcluster.schema.Defaulting;
import dev.kopf4j.devcluster.schema.Validation;
import dev.kopf4j.devcluster.status.Cause;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.node.ObjectNode;

/** The rules of custom kinds: their schema. Unknown fields are already gone when a draft comes here. */
public final class CustomRules implements KindRules {
    /** With these the shape or the size of a value may be one that expressions are not made for. */
    private static final Set<Cause.Type> HINDERING = Set.of(
            Cause.Type.NOT_SUPPORTED,
            Cause.Type.REQUIRED,
            Cause.Type.TOO_LONG,
            Cause.Type.TOO_MANY,
            Cause.Type.TYPE_INVALID);

    private final CustomKind kind;

    /** The rules of one version of a kind. */
    public CustomRules(CustomKind kind) {
        this.kind = kind;
    }

    @Override
    public void prepare(Draft draft) {
        ObjectNode metadata = (ObjectNode) draft.next().get("metadata");
        draft.next().remove("metadata");
        Defaulting.apply(kind.schema(), draft.next());
        draft.next().set("metadata", metadata);
    }

    @Override
    public List<Cause> check(Draft draft) {
        List<Cause> causes = Validation.validate(kind.schema(), draft.next(), draft.before());
        causes.addAll(ScaleChecks.check(kind.scale(), draft.next()));
        if (!kind.hasRules()) {
            return causes;
        }
        List<Cause> more = new ArrayList<>(causes);
        if (causes.stream().noneMatch(cause -> HINDERING.contains(cause.type()))) {
            more.addAll(kind.rules().check(draft.next(), draft.before()));
            return more;
        }
        more.add(Cause.invalid(
                "<nil>",
                "\"null\"",
                "some validation rules were not checked because the object was invalid; correct the existing errors to"
                        + " complete validation"));
        return more;
    }
}
