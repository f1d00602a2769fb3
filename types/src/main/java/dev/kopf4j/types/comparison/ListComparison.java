package dev.kopf4j.types.comparison;

import java.util.List;

/**
 * Compares how lists and mappings are merged. What several managers have applied changes its meaning with it.
 *
 * @param changes gets what has changed
 * @param at the field, for messages
 */
record ListComparison(Changes changes, String at) {
    void compare(Tree old, Tree fresh) {
        kind("x-kubernetes-list-type", "atomic", old, fresh);
        kind("x-kubernetes-map-type", "granular", old, fresh);
        List<?> before = old.list("x-kubernetes-list-map-keys");
        List<?> after = fresh.list("x-kubernetes-list-map-keys");
        if (!before.isEmpty() && !after.isEmpty() && !before.equals(after)) {
            changes.breaking(at, "the elements were told apart by " + before + ", and would be by " + after);
        }
    }

    private void kind(String key, String otherwise, Tree old, Tree fresh) {
        String before = old.has(key) ? old.text(key) : otherwise;
        String after = fresh.has(key) ? fresh.text(key) : otherwise;
        if (!before.equals(after)) {
            changes.breaking(at, key + " was " + before + ", and would be " + after);
        }
    }
}
