package dev.kopf4j.spring;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * What an operator watches, and with which credentials. Everything else below {@code kopf4j} in the configuration of
 * the application is an operator's setting, such as {@code kopf4j.peering.priority}. Immutable.
 *
 * @param enabled false for an application without its operator, as in some of its tests; true by default
 * @param namespaces names and patterns of namespaces; empty, the default, for the whole cluster
 * @param kubeconfig where the credentials are; null, the default, for the usual places: the pod's service account,
 *     {@code KUBECONFIG}, the home directory
 * @param exitOnFailure whether an application without a web server ends with its operator, with the exit code 1, when
 *     that has failed for good; true by default
 */
@ConfigurationProperties(KopfProperties.PREFIX)
public record KopfProperties(
        @DefaultValue("true") boolean enabled,
        @DefaultValue List<String> namespaces,
        @Nullable Path kubeconfig,
        @DefaultValue("true") boolean exitOnFailure) {
    static final String PREFIX = "kopf4j";

    /** The names of its parts, which are no settings, without dashes. */
    static final List<String> NAMES = List.of("enabled", "namespaces", "kubeconfig", "exitonfailure");

    /** Copies the list. */
    public KopfProperties {
        namespaces = List.copyOf(namespaces);
    }

    /**
     * What the operator is given. Of a text, Spring makes a list at its commas, also of one pattern that excludes
     * ({@code "team-*,!team-x"}), and {@code "!team-x"} alone would be all namespaces but that one. So what begins with
     * the first exclusion belongs to each name and pattern before it.
     */
    List<String> namespacePatterns() {
        List<String> parts = namespaces.stream().map(String::strip).toList();
        List<String> included =
                parts.stream().takeWhile(part -> !part.startsWith("!")).toList();
        String rest = String.join(",", parts.subList(included.size(), parts.size()));
        if (rest.isEmpty()) {
            return included;
        }
        return included.isEmpty()
                ? List.of(rest)
                : included.stream().map(part -> part + "," + rest).toList();
    }
}
