package dev.kopf4j.cli;

import dev.kopf4j.types.Change;
import dev.kopf4j.types.DefinitionChanges;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Tells what would change if definitions were applied.
 *
 * @param installed the definitions in use, by their names
 * @param out gets a line for each change
 */
record DefinitionCheck(Map<String, Map<String, Object>> installed, PrintWriter out) {
    /** Returns true if a change breaks what was fine before. */
    boolean breaks(List<Map<String, Object>> definitions) {
        boolean breaks = false;
        for (Map<String, Object> definition : definitions) {
            breaks |= breaks(name(definition), definition);
        }
        out.flush();
        return breaks;
    }

    static String name(Map<String, Object> definition) {
        return definition.get("metadata") instanceof Map<?, ?> metadata ? String.valueOf(metadata.get("name")) : "";
    }

    private boolean breaks(String name, Map<String, Object> definition) {
        @Nullable Map<String, Object> before = installed.get(name);
        if (before == null) {
            out.println(name + ": new");
            return false;
        }
        List<Change> changes = DefinitionChanges.between(before, definition);
        if (changes.isEmpty()) {
            out.println(name + ": unchanged");
        }
        changes.forEach(change -> out.println(name + ": " + change));
        return changes.stream().anyMatch(Change::breaking);
    }
}
