package dev.kopf4j.spring;

import dev.kopf4j.SettingException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * What an operator watches, and with which credentials. Everything else below {@code kopf4j} in the configuration of
 * the application is an operator's setting, such as {@code kopf4j.peering.priority}. Immutable.
 *
 * @param enabled false for an application without its operator, as in some of its tests; true by default
 * @param namespaces names and patterns of namespaces; empty, the default, for the whole cluster, with a warning unless
 *     that was chosen
 * @param clusterwide true to choose the whole cluster
 * @param kubeconfig where the credentials are; null, the default, for the usual places: the pod's service account,
 *     {@code KUBECONFIG}, the home directory
 * @param exitOnFailure whether an application without a web server ends with its operator, with the exit code 1, when
 *     that has failed for good; true by default
 */
@ConfigurationProperties(KopfProperties.PREFIX)
public record KopfProperties(
        @DefaultValue("true") boolean enabled,
        @DefaultValue List<String> namespaces,
        boolean clusterwide,
        @Nullable Path kubeconfig,
        @DefaultValue("true") boolean exitOnFailure) {
    static final String PREFIX = "kopf4j";

    /** The names of its parts, which are no settings, without dashes. */
    static final List<String> NAMES = List.of("enabled", "namespaces", "clusterwide", "kubeconfig", "exitonfailure");

    /** Copies the list. */
    public KopfProperties {
        namespaces = List.copyOf(namespaces);
    }

    /**
     * What the operator is given. Of a text, Spring makes a list at its commas, also of one pattern that excludes
     * ({@code "team-*,!team-x"}), and {@code "!team-x"} alone would be all namespaces but that one. So what begins with
     * the first exclusion belongs to each name and pattern before it.
     *
     * @throws SettingException if the whole cluster was chosen besides; or if something behind an exclusion gives back
     *     nothing of it: whoever wrote a list may have meant that it is watched, too
     */
    List<String> namespacePatterns() {
        if (clusterwide && !namespaces.isEmpty()) {
            throw new SettingException(PREFIX + ".clusterwide=true, and " + PREFIX + ".namespaces=" + namespaces
                    + ": either the whole cluster can be watched, or namespaces; take one of them out");
        }
        List<String> parts = namespaces.stream().map(String::strip).toList();
        List<String> included =
                parts.stream().takeWhile(part -> !part.startsWith("!")).toList();
        String rest = String.join(",", parts.subList(included.size(), parts.size()));
        if (rest.isEmpty()) {
            return included;
        }
        refuseWithoutEffect(included, rest);
        return included.isEmpty()
                ? List.of(rest)
                : included.stream().map(part -> part + "," + rest).toList();
    }

    private void refuseWithoutEffect(List<String> included, String rest) {
        List<String> excluded = new ArrayList<>();
        for (String part : rest.split(",", -1)) {
            String glob = part.strip();
            if (glob.startsWith("!")) {
                excluded.add(glob.replaceFirst("^!+", ""));
            } else if (!glob.isEmpty()
                    && (!overlapsAny(glob, excluded.stream())
                            || (!included.isEmpty() && !overlapsAny(glob, included.stream())))) {
                throw new SettingException(PREFIX + ".namespaces=" + namespaces + ": '" + glob
                        + "' stands behind an exclusion, and gives back nothing of what that has excluded; write names"
                        + " and patterns first and exclusions last, or leave it out");
            }
        }
    }

    private static boolean overlapsAny(String glob, Stream<String> patterns) {
        return patterns.anyMatch(pattern -> overlap(withoutSets(glob), withoutSets(pattern.split(",", 2)[0].strip())));
    }

    /** With any character where a glob has a set of them: it may overlap more than it does. */
    private static String withoutSets(String glob) {
        return glob.replaceAll("\\[.[^\\]]*\\]", "?");
    }

    /** True if a name fits both globs. */
    private static boolean overlap(String one, String other) {
        if (one.isEmpty() || other.isEmpty()) {
            return (one + other).chars().allMatch(c -> c == '*');
        }
        if (other.startsWith("*")) {
            return overlap(one, other.substring(1)) || overlap(one.substring(1), other);
        }
        if (one.startsWith("*")) {
            return overlap(other, one);
        }
        return (one.charAt(0) == other.charAt(0) || one.startsWith("?") || other.startsWith("?"))
                && overlap(one.substring(1), other.substring(1));
    }
}
