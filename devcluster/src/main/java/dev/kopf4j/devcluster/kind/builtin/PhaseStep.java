package dev.kopf4j.devcluster.kind.builtin;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.kind.Draft;
import dev.kopf4j.devcluster.kind.KindRules;
import dev.kopf4j.devcluster.status.Cause;
import java.util.List;

/** Kinds whose new objects wait for a controller: their status begins with a phase. */
record PhaseStep(String first) implements KindRules {
    @Override
    public void prepare(Draft draft) {
        if (draft.isNew()) {
            Json.child(draft.next(), "status").put("phase", first);
        }
    }

    @Override
    public List<Cause> check(Draft draft) {
        return List.of();
    }
}
