package dev.kopf4j.devcluster.meta;

import java.util.regex.Pattern;

/** What objects may be called; the answers are what is wrong, empty when nothing is. */
final class NameValidation {
    private static final Pattern LABEL = Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?");
    private static final Pattern DNS1035 = Pattern.compile("[a-z]([-a-z0-9]*[a-z0-9])?");
    private static final Pattern SUBDOMAIN =
            Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*");

    private NameValidation() {}

    /** By the name of the rule. */
    static String check(String rule, String name) {
        return switch (rule) {
            case "label" -> label(name);
            case "dns1035" -> dns1035(name);
            case "path" -> path(name);
            case "any" -> name.equals(".") || name.equals("..") ? "may not be '" + name + "'" : "";
            default -> subdomain(name);
        };
    }

    static String subdomain(String name) {
        if (name.length() > 253) {
            return "must be no more than 253 characters";
        }
        return SUBDOMAIN.matcher(name).matches()
                ? ""
                : "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and"
                        + " must start and end with an alphanumeric character (e.g. 'example.com', regex used for"
                        + " validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
    }

    private static String label(String name) {
        if (name.length() > 63) {
            return "must be no more than 63 characters";
        }
        return LABEL.matcher(name).matches()
                ? ""
                : "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must"
                        + " start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used"
                        + " for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";
    }

    private static String dns1035(String name) {
        if (name.length() > 63) {
            return "must be no more than 63 characters";
        }
        return DNS1035.matcher(name).matches()
                ? ""
                : "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an"
                        + " alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or"
                        + " 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')";
    }

    private static String path(String name) {
        if (name.equals(".") || name.equals("..")) {
            return "may not be '" + name + "'";
        }
        return name.contains("/") || name.contains("%")
                ? "may not contain '" + (name.contains("/") ? "/" : "%") + "'"
                : "";
    }
}
