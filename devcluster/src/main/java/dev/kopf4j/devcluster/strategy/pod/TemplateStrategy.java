package dev.kopf4j.devcluster.strategy.pod;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.strategy.FieldChecks;
import dev.kopf4j.devcluster.strategy.ObjectDraft;
import dev.kopf4j.devcluster.strategy.Place;
import dev.kopf4j.devcluster.strategy.RuleTable;
import dev.kopf4j.devcluster.strategy.TableStrategy;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The strategy of a kind that has a template of pods. The trait {@code podnames} says that its pods have names that
 * begin with its own, {@code silent} that the template is warned of by others ({@code WarningsOnCreate} in
 * {@code pkg/registry/apps/deployment/strategy.go}, v1.33). Stateless.
 */
public class TemplateStrategy extends TableStrategy {
    private final String[] path;

    /** The strategy of a kind with its template at a path. */
    public TemplateStrategy(RuleTable table, String plural, String... path) {
        super(table, plural);
        this.path = path;
    }

    @Override
    public void prepare(ObjectDraft draft) {
        Json.child(made(draft.next()), "spec");
        RuleTable.of("pod").check("Defaults", template(draft).field("spec", "spec"), new FieldChecks());
        super.prepare(draft);
    }

    private ObjectNode made(ObjectNode object) {
        ObjectNode template = object;
        for (String name : path) {
            template = Json.child(template, name);
        }
        return template;
    }

    private Place template(ObjectDraft draft) {
        Place template = Place.of(draft);
        for (String name : path) {
            template = template.field(name, name);
        }
        return template;
    }

    /** The template is looked at if the object is new, or its spec changes. */
    @Override
    public List<String> warnings(ObjectDraft draft) {
        FieldChecks checks = new FieldChecks();
        ObjectNode before = draft.before();
        if (has("podnames")) {
            RuleTable.of("pod").check("PodNames", Place.of(draft), checks);
        }
        if (!has("silent") && (before == null || generation(draft.next()) != generation(before))) {
            RuleTable.of("pod").check("Warnings", template(draft), checks);
        }
        List<String> warnings = new ArrayList<>(checks.warnings());
        warnings.addAll(super.warnings(draft));
        return warnings;
    }

    private static long generation(JsonNode object) {
        return object.path("metadata").path("generation").longValue(0);
    }
}
