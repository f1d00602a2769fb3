package dev.kopf4j.engine.explanation;

import dev.kopf4j.Resource;
import java.util.ArrayList;
import java.util.List;

/** Rights as people and roles name them: verbs, resource, group. Pure. */
final class Rights {
    private Rights() {}

    /** {@code list, watch of pods}, {@code patch of kopfexamples.kopf.dev}. */
    static String of(String verbs, Resource resource) {
        return verbs + " of " + name(resource, resource.plural());
    }

    /** To watch the objects of a resource, and to write into them if that is needed. */
    static List<String> toWatch(Resource resource, boolean writes) {
        List<String> rights = new ArrayList<>();
        rights.add(of(writes ? "list, watch, patch" : "list, watch", resource));
        if (writes && resource.subresources().contains("status")) {
            rights.add("patch of " + name(resource, resource.plural() + "/status"));
        }
        return rights;
    }

    private static String name(Resource resource, String plural) {
        return resource.group().isEmpty() ? plural : plural + " in the API group " + resource.group();
    }
}
