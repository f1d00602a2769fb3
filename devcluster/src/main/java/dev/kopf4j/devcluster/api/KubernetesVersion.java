package dev.kopf4j.devcluster.api;

import java.util.Arrays;
import java.util.stream.Collectors;

/** A version of Kubernetes whose API server a dev cluster takes the place of. */
public enum KubernetesVersion {
    /** Kubernetes 1.31. */
    V1_31(31, "2024-08-13"),
    /** Kubernetes 1.32. */
    V1_32(32, "2024-12-11"),
    /** Kubernetes 1.33, to whose answers the dev cluster is held. */
    V1_33(33, "2025-04-23"),
    /** Kubernetes 1.34. */
    V1_34(34, "2025-08-27");

    /** The version that a dev cluster has unless another one is chosen. */
    public static final KubernetesVersion DEFAULT = V1_33;

    private final int minor;
    private final String releaseDay;

    KubernetesVersion(int minor, String releaseDay) {
        this.minor = minor;
        this.releaseDay = releaseDay;
    }

    /**
     * A version as text, such as {@code 1.33}.
     *
     * @throws IllegalArgumentException for a version that is not there
     */
    public static KubernetesVersion of(String text) {
        return Arrays.stream(values())
                .filter(version -> version.toString().equals(text))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("Kubernetes " + text
                        + " is not one of the versions that are there: "
                        + Arrays.stream(values())
                                .map(KubernetesVersion::toString)
                                .collect(Collectors.joining(", "))));
    }

    /** The number behind {@code 1.}. */
    public int minor() {
        return minor;
    }

    /** The day on which it was released, as {@code 2025-04-23}. */
    public String releaseDay() {
        return releaseDay;
    }

    /** Whether it is this version or a later one. */
    public boolean isAtLeast(KubernetesVersion other) {
        return compareTo(other) >= 0;
    }

    /** The version as text, such as {@code 1.33}. */
    @Override
    public String toString() {
        return "1." + minor;
    }
}
