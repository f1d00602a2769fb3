package dev.kopf4j.devcluster.strategy.admissionregistration;

import dev.kopf4j.devcluster.strategy.FieldChecks;

/** Names that can stand in a path: {@code pkg/api/validation/path/name.go} of apimachinery, v1.33. Pure. */
final class PathSegments {
    private PathSegments() {}

    static void check(String name, String path, FieldChecks checks) {
        if (name.equals(".") || name.equals("..")) {
            checks.problem("may not be '" + name + "'", path, name);
            return;
        }
        for (String illegal : new String[] {"/", "%"}) {
            if (name.contains(illegal)) {
                checks.problem("may not contain '" + illegal + "'", path, name);
            }
        }
    }
}
