package dev.kopf4j.devcluster.cel.library;

import dev.cel.common.types.CelType;
import dev.cel.common.types.ListType;
import dev.cel.common.types.SimpleType;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * Searches in strings: {@code find}, {@code findAll}; {@code pkg/cel/library/regex.go} of the apiserver library, v1.33.
 */
final class RegexFunctions {
    private static final CelType TEXT = SimpleType.STRING;

    private RegexFunctions() {}

    static void declare(CelFunctions functions) {
        functions
                .member(
                        "find",
                        TEXT,
                        List.of(TEXT, TEXT),
                        given -> find(given, 1).stream().findFirst().orElse(""))
                .member("findAll", ListType.create(TEXT), List.of(TEXT, TEXT), given -> find(given, -1))
                .member(
                        "findAll",
                        ListType.create(TEXT),
                        List.of(TEXT, TEXT, SimpleType.INT),
                        given -> find(given, (Long) given[2]));
    }

    /** At most this number of matches; all if it is negative. */
    private static List<String> find(Object[] given, long most) {
        return Pattern.compile((String) given[1])
                .matcher((String) given[0])
                .results()
                .map(MatchResult::group)
                .limit(most < 0 ? Long.MAX_VALUE : most)
                .toList();
    }
}
