package dev.kopf4j.devcluster.access;

import java.util.List;
import java.util.Set;

/** What everybody may do: see that the server lives, discover what it serves, ask about himself. */
final class Basics {
    private static final Set<String> PUBLIC =
            Set.of("/healthz", "/livez", "/readyz", "/version", "/version/", "/healthz/ping");
    private static final List<String> DISCOVERY = List.of("/api", "/apis", "/openapi");
    private static final Set<String> SELF =
            Set.of("selfsubjectaccessreviews", "selfsubjectrulesreviews", "selfsubjectreviews");

    private Basics() {}

    static boolean allow(User user, Attributes attributes) {
        boolean known = user.groups().contains(User.AUTHENTICATED);
        if (!attributes.isResource()) {
            boolean reads = attributes.verb().equals("get") || attributes.verb().equals("head");
            return reads
                    && (PUBLIC.contains(attributes.path())
                            || (known && DISCOVERY.stream().anyMatch(attributes.path()::startsWith)));
        }
        return known && attributes.verb().equals("create") && SELF.contains(attributes.resource());
    }
}
