package dev.kopf4j.devcluster.cel;

import dev.kopf4j.devcluster.schema.StructuralSchema;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The {@code fieldPath} of rules: which field the error is about. Pure. */
final class RuleFieldPath {
    private static final Pattern NAME = Pattern.compile("\\.([A-Za-z_][A-Za-z0-9_]*)|\\['([^']*)'\\]");

    private RuleFieldPath() {}

    /**
     * The path of errors for a JSON path below a schema: {@code .a['b']} is {@code a.b}, or {@code a[b]} in a map;
     * empty if the schema has no such field.
     */
    static Optional<String> errorPath(StructuralSchema schema, String path) {
        StructuralSchema found = schema;
        String normal = "";
        Matcher names = NAME.matcher(path);
        int end = 0;
        while (names.find() && names.start() == end) {
            String name = names.group(1) == null ? names.group(2) : names.group(1);
            Optional<StructuralSchema> below = found.field(name);
            if (below.isEmpty()) {
                return Optional.empty();
            }
            normal = found.pathOf(name, normal);
            found = below.get();
            end = names.end();
        }
        return end == path.length() ? Optional.of(normal) : Optional.empty();
    }
}
