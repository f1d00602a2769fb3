package dev.kopf4j.cli.manifests;

import dev.kopf4j.engine.rights.RequiredRule;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * One rule of a role. Immutable.
 *
 * @param apiGroup the API group; empty for the core API
 * @param resources the plural names
 * @param names the names of the only objects; empty for all
 * @param verbs what may be done, in the usual order
 */
record RoleRule(String apiGroup, List<String> resources, List<String> names, List<String> verbs) {
    private static final List<String> ORDER =
            List.of("get", "list", "watch", "create", "update", "patch", "delete", "deletecollection");

    private record Target(String apiGroup, String resource, List<String> names) {}

    private record Permission(String apiGroup, List<String> names, List<String> verbs) {}

    /** Few rules that grant the same as the required ones, in the order of groups and resources. */
    static List<RoleRule> of(Collection<RequiredRule> required) {
        Map<Permission, Set<String>> resources = new LinkedHashMap<>();
        verbs(required)
                .forEach((target, verbs) -> resources
                        .computeIfAbsent(
                                new Permission(target.apiGroup(), target.names(), List.copyOf(verbs)),
                                permission -> new LinkedHashSet<>())
                        .add(target.resource()));
        return resources.entrySet().stream()
                .map(each -> new RoleRule(
                        each.getKey().apiGroup(),
                        new ArrayList<>(each.getValue()),
                        each.getKey().names(),
                        each.getKey().verbs()))
                .toList();
    }

    private static Map<Target, Set<String>> verbs(Collection<RequiredRule> required) {
        Map<Target, Set<String>> verbs = new TreeMap<>(Comparator.comparing(Target::apiGroup)
                .thenComparing(Target::resource)
                .thenComparing(target -> String.join(",", target.names())));
        for (RequiredRule rule : required) {
            List<String> names = rule.resourceNames().stream().sorted().toList();
            verbs.computeIfAbsent(
                            new Target(rule.apiGroup(), rule.resource(), names),
                            target -> new TreeSet<>(Comparator.<String>comparingInt(RoleRule::position)
                                    .thenComparing(Comparator.naturalOrder())))
                    .addAll(rule.verbs());
        }
        verbs.forEach((target, some) -> {
            if (!target.names().isEmpty()) {
                some.removeAll(
                        verbs.getOrDefault(new Target(target.apiGroup(), target.resource(), List.of()), Set.of()));
            }
        });
        verbs.values().removeIf(Set::isEmpty);
        return verbs;
    }

    private static int position(String verb) {
        int found = ORDER.indexOf(verb);
        return found < 0 ? ORDER.size() : found;
    }

    /** As a role has it. */
    Map<String, Object> object() {
        Map<String, Object> object = Pieces.map("apiGroups", List.of(apiGroup), "resources", resources);
        if (!names.isEmpty()) {
            object.put("resourceNames", names);
        }
        object.put("verbs", verbs);
        return object;
    }
}
