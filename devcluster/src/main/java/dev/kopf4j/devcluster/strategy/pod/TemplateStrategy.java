package dev.kopf4j.devcluster.strategy.pod;

import dev.kopf4j.devcluster.strategy.ObjectDraft;
import dev.kopf4j.devcluster.strategy.RuleTable;
import dev.kopf4j.devcluster.strategy.TableStrategy;
import java.util.ArrayList;
import java.util.List;

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
        PodSpecDefaults.prepareTemplate(draft.next(), path);
        super.prepare(draft);
    }

    @Override
    public List<String> warnings(ObjectDraft draft) {
        List<String> warnings = new ArrayList<>(has("podnames") ? PodWarnings.ofName(draft) : List.of());
        if (!has("silent")) {
            warnings.addAll(PodWarnings.ofTemplate(draft, path));
        }
        warnings.addAll(super.warnings(draft));
        return warnings;
    }
}
