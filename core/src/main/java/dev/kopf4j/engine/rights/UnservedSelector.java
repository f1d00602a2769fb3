package dev.kopf4j.engine.rights;

import dev.kopf4j.Resource;
import dev.kopf4j.ResourceSelector;
import java.util.Locale;
import java.util.Set;

/** A selector of resources that are not known where rights are planned. Immutable. */
record UnservedSelector(ResourceSelector selector) {
    private static final String ANY = "*";

    /** The resource that the selector names, with anything for what it does not say. */
    Resource resource() {
        String name = selector.toString().split("\\.", 2)[0].toLowerCase(Locale.ROOT);
        return new Resource(
                selector.group().orElse(ANY),
                selector.version().orElse(ANY),
                name,
                name,
                name,
                Set.of(),
                Set.of(),
                Set.of("status"),
                true,
                true,
                Set.of());
    }

    String remark() {
        return "No definition of '" + selector
                + "' is known: its rights are as the handlers name it. Roles need the plural"
                + " name and the group; put its definition beside the source, or ask a cluster by --kubeconfig.";
    }

    /** For selectors of many resources. */
    String ofMany() {
        return "Which resources '" + selector + "' selects depends on the cluster: the rights are for those that the"
                + " asked one serves.";
    }
}
