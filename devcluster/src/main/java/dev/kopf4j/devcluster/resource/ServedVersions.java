package dev.kopf4j.devcluster.resource;

import dev.kopf4j.devcluster.api.KubernetesVersion;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Which versions of API groups an API server of a version of Kubernetes serves: the stable ones, and others as
 * {@code --runtime-config} of kube-apiserver says; {@code pkg/server/resourceconfig} of the apiserver library, v1.33.
 * Immutable.
 *
 * @param kubernetes whose API server
 * @param choices what was said of {@code GROUP/VERSION}, {@code api/all}, {@code api/beta} or {@code api/alpha}
 */
public record ServedVersions(KubernetesVersion kubernetes, Map<String, Boolean> choices) {
    private static final String PREFIX = "api/";
    private static final Set<String> LEVELS = Set.of("api/all", "api/ga", "api/beta", "api/alpha");

    /** What a version serves unless it is told otherwise. */
    public static ServedVersions of(KubernetesVersion kubernetes) {
        return new ServedVersions(kubernetes, Map.of());
    }

    /**
     * Reads entries of {@code --runtime-config}: {@code GROUP/VERSION}, {@code GROUP/VERSION=true} or
     * {@code GROUP/VERSION=false}.
     *
     * @throws IllegalArgumentException for other texts
     */
    public static ServedVersions of(KubernetesVersion kubernetes, List<String> entries) {
        Map<String, Boolean> choices = new LinkedHashMap<>();
        for (String entry : entries) {
            String[] parts = entry.split("=", 2);
            String value = parts.length == 1 ? "true" : parts[1];
            boolean known = value.equals("true") || value.equals("false");
            if (!known || !parts[0].matches("[a-z0-9.]+/[a-z0-9]+") || isUnknownLevel(parts[0])) {
                throw new IllegalArgumentException("runtime-config " + entry
                        + " is not GROUP/VERSION, api/all, api/beta or api/alpha, with =true or =false behind it");
            }
            choices.put(parts[0], value.equals("true"));
        }
        return new ServedVersions(kubernetes, Map.copyOf(choices));
    }

    private static boolean isUnknownLevel(String name) {
        return name.startsWith(PREFIX) && !LEVELS.contains(name);
    }

    /** Whether a version of a group is served; the more exact choice counts, and none leaves what is usual. */
    boolean serves(String group, String version, boolean usual) {
        String level = version.contains("alpha") ? "alpha" : version.contains("beta") ? "beta" : "ga";
        boolean ofAll = choices.getOrDefault(PREFIX + "all", usual);
        boolean ofLevel = choices.getOrDefault(PREFIX + level, ofAll);
        return choices.getOrDefault(group + "/" + version, ofLevel);
    }

    /**
     * Refuses choices for versions that are not there.
     *
     * @param known all that this version of Kubernetes has
     * @throws IllegalArgumentException for the first one
     */
    void check(Set<String> known) {
        for (String name : choices.keySet()) {
            if (!name.startsWith(PREFIX) && !known.contains(name)) {
                String group = name.substring(0, name.indexOf('/') + 1);
                List<String> others = known.stream()
                        .filter(each -> each.startsWith(group))
                        .sorted()
                        .toList();
                throw new IllegalArgumentException("runtime-config " + name + ": the dev cluster has no such version"
                        + " of Kubernetes " + kubernetes
                        + (others.isEmpty()
                                ? ", nor another one of this group"
                                : ", but " + String.join(", ", others)));
            }
        }
    }
}
