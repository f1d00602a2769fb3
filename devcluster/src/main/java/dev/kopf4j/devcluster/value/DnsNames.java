package dev.kopf4j.devcluster.value;

import java.util.regex.Pattern;

/**
 * Validates the DNS names that Kubernetes accepts as names of objects, groups and hosts: {@code IsDNS1123Label},
 * {@code IsDNS1123Subdomain} and {@code IsDNS1035Label} of apimachinery's {@code pkg/util/validation/validation.go},
 * v1.33. The results say what is wrong with a name; they are empty if nothing is. Pure.
 */
public final class DnsNames {
    /** RFC 1123, without the limit of 63 characters. */
    public static final Pattern LABEL = Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?");

    /** RFC 1035, without the limit of 63 characters. */
    public static final Pattern LABEL_1035 = Pattern.compile("[a-z]([-a-z0-9]*[a-z0-9])?");

    /** RFC 1123, without the limit of 253 characters. */
    public static final Pattern SUBDOMAIN = Pattern.compile(LABEL + "(\\." + LABEL + ")*");

    /** The rule of subdomains, as messages give it. */
    public static final String SUBDOMAIN_RULE =
            "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must"
                    + " start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '"
                    + SUBDOMAIN + "')";

    private static final String LABEL_RULE =
            "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and"
                    + " end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '"
                    + LABEL + "')";
    private static final String LABEL_1035_RULE =
            "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic"
                    + " character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for"
                    + " validation is '" + LABEL_1035 + "')";
    private static final int MAX_LABEL = 63;
    private static final int MAX_SUBDOMAIN = 253;

    private DnsNames() {}

    /** What is wrong with a text as one segment of a path: {@code pkg/api/validation/path/name.go} of apimachinery. */
    public static String pathSegment(String name) {
        if (name.equals(".") || name.equals("..")) {
            return "may not be '" + name + "'";
        }
        return name.contains("/") || name.contains("%")
                ? "may not contain '" + (name.contains("/") ? "/" : "%") + "'"
                : "";
    }

    /** What is wrong with a label. */
    public static String label(String name) {
        return problem(name, MAX_LABEL, LABEL, LABEL_RULE);
    }

    /** What is wrong with a label that begins with a letter. */
    public static String label1035(String name) {
        return problem(name, MAX_LABEL, LABEL_1035, LABEL_1035_RULE);
    }

    /** What is wrong with a subdomain. */
    public static String subdomain(String name) {
        return problem(name, MAX_SUBDOMAIN, SUBDOMAIN, SUBDOMAIN_RULE);
    }

    private static String problem(String name, int max, Pattern pattern, String rule) {
        if (name.length() > max) {
            return "must be no more than " + max + " characters";
        }
        return pattern.matcher(name).matches() ? "" : rule;
    }
}
