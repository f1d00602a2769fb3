package dev.kopf4j.devcluster.cel;

import java.util.Set;

/**
 * Escapes field names that are no identifiers of the language; {@code pkg/cel/escaping.go} of the apiserver library,
 * v1.33.
 */
final class FieldNameEscaping {
    private static final Set<String> RESERVED = Set.of(
            "true",
            "false",
            "null",
            "in",
            "as",
            "break",
            "const",
            "continue",
            "else",
            "for",
            "function",
            "if",
            "import",
            "let",
            "loop",
            "package",
            "namespace",
            "return",
            "var",
            "void",
            "while");

    private FieldNameEscaping() {}

    static String escape(String name) {
        if (RESERVED.contains(name)) {
            return "__" + name + "__";
        }
        if (name.indexOf('-') < 0 && name.indexOf('.') < 0 && name.indexOf('/') < 0 && !name.contains("__")) {
            return name;
        }
        return name.replace("__", "__underscores__")
                .replace(".", "__dot__")
                .replace("-", "__dash__")
                .replace("/", "__slash__");
    }
}
