package dev.kopf4j.devcluster.cel.library;

import dev.cel.common.types.CelType;
import dev.cel.common.types.ListType;
import dev.cel.common.types.OptionalType;
import dev.cel.common.types.SimpleType;
import java.util.List;

/**
 * Validates strings against named formats, {@code pkg/cel/library/format.go} of the apiserver library, v1.33; and fills
 * values into texts: the library of strings has that in Go, but not in Java.
 */
final class FormatFunctions {
    private static final CelType TEXT = SimpleType.STRING;
    private static final CelType FORMAT = KubernetesCelTypes.FORMAT;

    private FormatFunctions() {}

    static void declare(CelFunctions functions) {
        functions
                .member(
                        "format",
                        TEXT,
                        List.of(TEXT, ListType.create(SimpleType.DYN)),
                        given -> StringFormatFunction.apply((String) given[0], (List<?>) given[1]))
                .global(
                        "format.named",
                        OptionalType.create(FORMAT),
                        List.of(TEXT),
                        given -> NamedFormat.named((String) given[0]))
                .member(
                        "validate",
                        OptionalType.create(ListType.create(TEXT)),
                        List.of(FORMAT, TEXT),
                        given -> ((NamedFormat) given[0]).validate((String) given[1]));
        for (NamedFormat format : NamedFormat.ALL) {
            functions.global("format." + format.name(), FORMAT, List.of(), given -> format);
        }
    }
}
