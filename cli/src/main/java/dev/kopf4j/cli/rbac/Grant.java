package dev.kopf4j.cli.rbac;

import dev.kopf4j.engine.rights.RequiredRule;
import dev.kopf4j.engine.rights.RequiredRule.RightScope;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One verb on one resource that a role grants. A star is for all. Immutable.
 *
 * @param namespace the only namespace; null for the whole cluster
 * @param names the names of the only objects; empty for all
 * @param origin where it is from, in words for people
 */
record Grant(
        String verb,
        String apiGroup,
        String resource,
        @Nullable String namespace,
        List<String> names,
        String origin) {
    private static final String ANY = "*";

    Grant {
        names = List.copyOf(names);
    }

    /**
     * The grants of rules.
     *
     * @param own the namespace in which the operator runs
     */
    static List<Grant> of(Collection<RequiredRule> rules, String own) {
        List<Grant> grants = new ArrayList<>();
        for (RequiredRule rule : rules) {
            String namespace = rule.scope().kind() == RightScope.Kind.OWN
                    ? own
                    : rule.scope().namespace();
            for (String verb : rule.verbs()) {
                grants.add(new Grant(
                        verb, rule.apiGroup(), rule.resource(), namespace, rule.resourceNames(), rule.reason()));
            }
        }
        return grants;
    }

    boolean allows(UsedRight right) {
        return is(verb, right.verb())
                && is(apiGroup, right.apiGroup())
                && (is(resource, right.resource()) || isAnyOf(right.resource()))
                && (namespace == null || namespace.equals(right.namespace()))
                && (names.isEmpty() || (right.name() != null && names.contains(right.name())));
    }

    /** {@code *}{@code /status} is that part of all resources. */
    private boolean isAnyOf(String used) {
        return resource.startsWith("*/") && used.endsWith(resource.substring(1));
    }

    /** True if most clusters do without it. */
    boolean isForSomeClusters() {
        return RequiredRule.isForSomeClusters(resource);
    }

    private static boolean is(String granted, String used) {
        return granted.equals(ANY) || granted.equals(used);
    }

    String title() {
        return verb + " of " + resource
                + (apiGroup.isEmpty() ? "" : " in " + apiGroup)
                + (names.isEmpty() ? "" : " " + names)
                + (namespace == null ? "" : ", namespace " + namespace);
    }
}
