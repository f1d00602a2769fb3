package dev.kopf4j.devcluster.cel.library;

import dev.kopf4j.devcluster.schema.StringFormats;
import dev.kopf4j.devcluster.selector.LabelSyntax;
import dev.kopf4j.devcluster.value.DnsNames;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;

/**
 * A format that expressions validate strings with; {@code pkg/cel/library/format.go} of the apiserver library, v1.33.
 *
 * @param check says what is wrong with a text; empty if nothing is
 */
record NamedFormat(String name, Function<String, String> check) {
    static final List<NamedFormat> ALL = List.of(
            name("dns1123Label", DnsNames.LABEL, 63, "a lowercase RFC 1123 label"),
            name("dns1123Subdomain", DnsNames.SUBDOMAIN, 253, "a lowercase RFC 1123 subdomain"),
            name("dns1035Label", DnsNames.LABEL_1035, 63, "a DNS-1035 label"),
            prefix("dns1123LabelPrefix", DnsNames.LABEL, 63, "a lowercase RFC 1123 label"),
            prefix("dns1123SubdomainPrefix", DnsNames.SUBDOMAIN, 253, "a lowercase RFC 1123 subdomain"),
            prefix("dns1035LabelPrefix", DnsNames.LABEL_1035, 63, "a DNS-1035 label"),
            new NamedFormat("qualifiedName", LabelSyntax::key),
            new NamedFormat("labelValue", LabelSyntax::value),
            schema("uri", "uri"),
            schema("uuid", "uuid"),
            schema("byte", "byte"),
            schema("date", "date"),
            schema("datetime", "date-time"));

    private static NamedFormat name(String name, Pattern pattern, int max, String words) {
        return new NamedFormat(name, text -> wrong(text, pattern, max, words));
    }

    /** A prefix may end in a dash: more follows. */
    private static NamedFormat prefix(String name, Pattern pattern, int max, String words) {
        return new NamedFormat(
                name,
                text -> wrong(
                        text.endsWith("-") ? text.substring(0, text.length() - 1) + "a" : text, pattern, max, words));
    }

    private static String wrong(String text, Pattern pattern, int max, String words) {
        if (text.length() > max) {
            return "must be no more than " + max + " characters";
        }
        return pattern.matcher(text).matches()
                ? ""
                : words + " must consist of lower case alphanumeric characters or '-', and must start and end with an"
                        + " alphanumeric character";
    }

    private static NamedFormat schema(String name, String format) {
        return new NamedFormat(name, text -> StringFormats.fits(format, text) ? "" : "invalid " + name);
    }

    /** What is wrong with a text; empty if it has the format. */
    Optional<List<String>> validate(String text) {
        String wrong = check.apply(text);
        return wrong.isEmpty() ? Optional.empty() : Optional.of(List.of(wrong));
    }

    static Optional<NamedFormat> named(String name) {
        return ALL.stream().filter(format -> format.name.equals(name)).findFirst();
    }
}
