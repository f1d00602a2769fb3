package dev.kopf4j.types;

import dev.kopf4j.types.comparison.DefinitionComparison;
import java.util.List;
import java.util.Map;

/** Compares definitions, and tells which changes break what was fine before. Pure. */
public final class DefinitionChanges {
    private DefinitionChanges() {}

    /**
     * What changes when one definition takes the place of the other; nothing if both mean the same. Descriptions do not
     * count.
     *
     * @param before the definition in use, as YAML has it
     * @param after the new one
     */
    public static List<Change> between(Map<String, ?> before, Map<String, ?> after) {
        return new DefinitionComparison()
                .compare(before, after).stream()
                        .map(found -> new Change(found.breaking(), found.where(), found.what()))
                        .toList();
    }
}
