package dev.kopf4j.devcluster.strategy;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.resource.Resource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The strategy of a kind by the rows of a {@link RuleTable}: those of {@code PLURAL} are checked, those of
 * {@code PLURAL.defaults} set what is not there, those of {@code PLURAL.warnings} warn. Traits behind the plural:
 * {@code twice} (an update is checked as if it were new, too), {@code keeps=METADATA,...} (metadata that a write of the
 * status leaves). Stateless.
 */
public class TableStrategy implements ResourceStrategy {
    private static final String KEEPS = "keeps=";
    private static final String COUNTS = "counts=";
    private final RuleTable table;
    private final String plural;

    /** The strategy of a kind. */
    public TableStrategy(RuleTable table, String plural) {
        this.table = table;
        this.plural = plural;
    }

    @Override
    public void prepare(ObjectDraft draft) {
        table.check(plural + ".defaults", Place.of(draft), new FieldChecks());
    }

    @Override
    public void validate(ObjectDraft draft, FieldChecks checks) {
        table.check(plural, Place.of(draft), checks);
    }

    @Override
    public List<String> warnings(ObjectDraft draft) {
        FieldChecks checks = new FieldChecks();
        table.check(plural + ".warnings", Place.of(draft), checks);
        return checks.warnings();
    }

    @Override
    public boolean checksUpdatesTwice() {
        return has("twice");
    }

    @Override
    public Set<String> metadataKeptByStatus() {
        return Set.copyOf(trait(KEEPS).orElse(List.of()));
    }

    @Override
    public JsonNode generationPart(Resource resource, ObjectNode object) {
        return trait(COUNTS)
                .map(paths -> {
                    ObjectNode part = Json.object();
                    for (String path : paths) {
                        JsonNode value = Json.at(object, path.split("\\.", -1));
                        if (!value.isMissingNode() && !(value.isContainer() && value.isEmpty())) {
                            part.set(path, value);
                        }
                    }
                    return (JsonNode) part;
                })
                .orElseGet(() -> ResourceStrategy.super.generationPart(resource, object));
    }

    /** Whether a trait stands behind the plural. */
    protected boolean has(String trait) {
        return table.traits(plural).contains(trait);
    }

    private Optional<List<String>> trait(String name) {
        return table.traits(plural).stream()
                .filter(trait -> trait.startsWith(name))
                .map(trait -> List.of(trait.substring(name.length()).split(",", -1)))
                .findFirst();
    }
}
