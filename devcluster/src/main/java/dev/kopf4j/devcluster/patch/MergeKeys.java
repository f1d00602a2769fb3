package dev.kopf4j.devcluster.patch;

import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Which lists of built-in kinds merge by which field, by the names of the list and of the field above it. */
final class MergeKeys {
    private static final Map<String, String> KEYS = Map.ofEntries(
            Map.entry("addresses", "type"),
            Map.entry("conditions", "type"),
            Map.entry("containers", "name"),
            Map.entry("env", "name"),
            Map.entry("ephemeralContainers", "name"),
            Map.entry("hostAliases", "ip"),
            Map.entry("hostIPs", "ip"),
            Map.entry("imagePullSecrets", "name"),
            Map.entry("initContainers", "name"),
            Map.entry("matchConditions", "name"),
            Map.entry("ownerReferences", "uid"),
            Map.entry("podIPs", "ip"),
            Map.entry("resourceClaims", "name"),
            Map.entry("schedulingGates", "name"),
            Map.entry("secrets", "name"),
            Map.entry("spec/ports", "port"),
            Map.entry("topologySpreadConstraints", "topologyKey"),
            Map.entry("variables", "name"),
            Map.entry("volumeDevices", "devicePath"),
            Map.entry("volumeMounts", "mountPath"),
            Map.entry("volumes", "name"),
            Map.entry("webhooks", "name"),
            Map.entry("containers/ports", "containerPort"),
            Map.entry("initContainers/ports", "containerPort"),
            Map.entry("ephemeralContainers/ports", "containerPort"));
    private static final Set<String> PRIMITIVE = Set.of("finalizers", "podCIDRs");

    private MergeKeys() {}

    /** The key of a list's elements; empty when the list is replaced as a whole or is of primitives. */
    static Optional<String> of(String above, String list) {
        String exact = KEYS.get(above + "/" + list);
        return Optional.ofNullable(exact != null ? exact : KEYS.get(list));
    }

    /** Whether a list of primitives is merged as a set. */
    static boolean primitive(String list) {
        return PRIMITIVE.contains(list);
    }
}
