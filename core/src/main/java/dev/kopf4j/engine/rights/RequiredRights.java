package dev.kopf4j.engine.rights;

import java.util.List;

/**
 * All rights that an operator needs. Immutable.
 *
 * @param rules the rights
 * @param remarks what could not be found out, in words for people
 */
public record RequiredRights(List<RequiredRule> rules, List<String> remarks) {
    /** Copies the lists. */
    public RequiredRights {
        rules = List.copyOf(rules);
        remarks = List.copyOf(remarks);
    }
}
