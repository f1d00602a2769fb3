package dev.kopf4j.devcluster.meta;

import dev.kopf4j.devcluster.value.DnsNames;

/**
 * Validates the names of objects. The results say what is wrong with a name; they are empty if nothing is. The rules
 * are those of apimachinery's {@code pkg/api/validation/generic.go} and {@code pkg/api/validation/path/name.go}, v1.33.
 * Pure.
 */
final class NameValidation {
    private NameValidation() {}

    /** Checks by the rule that the data of a resource names. */
    static String check(String rule, String name) {
        return switch (rule) {
            case "label" -> DnsNames.label(name);
            case "dns1035" -> DnsNames.label1035(name);
            case "path" -> DnsNames.pathSegment(name);
            case "any" -> name.equals(".") || name.equals("..") ? "may not be '" + name + "'" : "";
            default -> DnsNames.subdomain(name);
        };
    }
}
