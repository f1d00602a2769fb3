package dev.kopf4j.devcluster.cel.library;

import dev.cel.common.types.CelType;
import dev.cel.common.types.ListType;
import dev.cel.common.types.OptionalType;
import dev.cel.common.types.SimpleType;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

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

    /**
     * Fills values into a text: {@code '%s has %d'.format([name, count])}; {@code ext/formatting.go} of cel-go. Pure.
     */
    private static final class StringFormatFunction {
        private static final Pattern CLAUSE = Pattern.compile("%(?:%|(\\.\\d+)?([sdfebxXo]))");

        private StringFormatFunction() {}

        static String apply(String format, List<?> values) {
            StringBuilder text = new StringBuilder();
            Matcher clauses = CLAUSE.matcher(format);
            int next = 0;
            while (clauses.find()) {
                String filled = "%";
                if (clauses.group(2) != null) {
                    if (next >= values.size()) {
                        throw new IllegalArgumentException("index " + next + " out of range");
                    }
                    filled = clause(clauses.group(2).charAt(0), clauses.group(1), values.get(next++));
                }
                clauses.appendReplacement(text, Matcher.quoteReplacement(filled));
            }
            return clauses.appendTail(text).toString();
        }

        private static String clause(char verb, @org.jspecify.annotations.Nullable String precision, Object value) {
            String digits = precision == null ? ".6" : precision;
            return switch (verb) {
                case 'd' -> shown(value);
                case 'f' -> String.format(Locale.ROOT, "%" + digits + "f", ((Number) value).doubleValue());
                case 'e' -> String.format(Locale.ROOT, "%" + digits + "e", ((Number) value).doubleValue());
                case 'b' ->
                    value instanceof Boolean truth
                            ? (truth ? "1" : "0")
                            : Long.toBinaryString(((Number) value).longValue());
                case 'o' -> Long.toOctalString(((Number) value).longValue());
                case 'x' -> Long.toHexString(((Number) value).longValue());
                case 'X' -> Long.toHexString(((Number) value).longValue()).toUpperCase(Locale.ROOT);
                default -> shown(value);
            };
        }

        private static String shown(Object value) {
            return switch (value) {
                case List<?> list ->
                    list.stream().map(StringFormatFunction::shown).collect(Collectors.joining(", ", "[", "]"));
                case Map<?, ?> map ->
                    map.entrySet().stream()
                            .map(entry -> shown(entry.getKey()) + ": " + shown(entry.getValue()))
                            .sorted()
                            .collect(Collectors.joining(", ", "{", "}"));
                case Double number
                when number == Math.rint(number) && Math.abs(number) < 1e15 -> String.valueOf(number.longValue());
                default -> String.valueOf(value);
            };
        }
    }
}
