package dev.kopf4j.devcluster.selector;

import dev.kopf4j.devcluster.value.DnsNames;
import java.util.regex.Pattern;

/**
 * Keys and values of labels: {@code IsQualifiedName} and {@code IsValidLabelValue} of apimachinery's
 * {@code pkg/util/validation/validation.go}, v1.33. The results say what is wrong; they are empty if nothing is. Pure.
 */
public final class LabelSyntax {
    private static final Pattern NAME = Pattern.compile("([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]");
    private static final String NAME_RULE =
            " must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric"
                    + " character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is"
                    + " '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";

    private LabelSyntax() {}

    /** What is wrong with a qualified name: an optional DNS prefix with a slash, and a name. */
    public static String key(String key) {
        int slash = key.indexOf('/');
        if (slash != key.lastIndexOf('/')) {
            return "a qualified name" + NAME_RULE + " with an optional DNS subdomain prefix and '/' (e.g."
                    + " 'example.com/MyName')";
        }
        if (slash == 0) {
            return "prefix part must be non-empty";
        }
        if (slash > 253) {
            return "prefix part must be no more than 253 characters";
        }
        if (slash > 0 && !DnsNames.SUBDOMAIN.matcher(key.substring(0, slash)).matches()) {
            return "prefix part a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters,"
                    + " '-' or '.', and must start and end with an alphanumeric character";
        }
        return name(key.substring(slash + 1));
    }

    private static String name(String name) {
        if (name.isEmpty()) {
            return "name part must be non-empty";
        }
        if (name.length() > 63) {
            return "name part must be no more than 63 characters";
        }
        return NAME.matcher(name).matches() ? "" : "name part" + NAME_RULE;
    }

    /** What is wrong with the value of a label. */
    public static String value(String value) {
        if (value.length() > 63) {
            return "must be no more than 63 characters";
        }
        if (value.isEmpty() || NAME.matcher(value).matches()) {
            return "";
        }
        return "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must"
                + " start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex"
                + " used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";
    }
}
