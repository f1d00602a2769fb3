package dev.kopf4j.cli.manifests;

import dev.kopf4j.engine.rights.RequiredRule;
import java.util.ArrayList;
import java.util.List;

/**
 * The account of an operator with its roles. Immutable.
 *
 * @param names how they are called
 * @param rules the rights of the account
 */
public record AccountManifests(Names names, List<RequiredRule> rules) {
    /** Copies the list. */
    public AccountManifests {
        rules = List.copyOf(rules);
    }

    /** The account, its roles, and what binds them. */
    public List<Manifest> objects() {
        List<Manifest> objects = new ArrayList<>();
        objects.add(Manifest.of(Pieces.object("v1", "ServiceAccount", Pieces.metadata(names))));
        objects.addAll(new RoleManifests(names, rules).objects());
        return objects;
    }
}
