package dev.kopf4j.cli.rbac;

import dev.kopf4j.engine.rights.RequiredRule;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * What an operator was not granted, and what it was granted for nothing. Immutable.
 *
 * @param missing the rights that it has used without having them, in words for people
 * @param unused the rights that it has and has not used, with who was said to need them
 */
public record RightsComparison(List<String> missing, List<String> unused) {
    /** Copies the lists. */
    public RightsComparison {
        missing = List.copyOf(missing);
        unused = List.copyOf(unused);
    }

    /**
     * Compares with the rights that are known to be needed.
     *
     * @param own the namespace in which the operator runs
     */
    public static RightsComparison of(UsedRights used, Collection<RequiredRule> rules, String own) {
        return of(used.all(), Grant.of(rules, own));
    }

    /** Compares with the rights that roles grant. */
    public static RightsComparison of(UsedRights used, GrantedRoles roles) {
        return of(used.all(), roles.grants());
    }

    private static RightsComparison of(List<UsedRight> used, List<Grant> grants) {
        Set<String> missing = new LinkedHashSet<>();
        for (UsedRight right : used) {
            if (grants.stream().noneMatch(grant -> grant.allows(right))) {
                missing.add(right.title());
            }
        }
        Set<String> unused = new LinkedHashSet<>();
        for (Grant grant : grants) {
            if (!grant.isForSomeClusters() && used.stream().noneMatch(grant::allows)) {
                unused.add(grant.title() + " (" + grant.origin() + ")");
            }
        }
        return new RightsComparison(new ArrayList<>(missing), new ArrayList<>(unused));
    }
}
