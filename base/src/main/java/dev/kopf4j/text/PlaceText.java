package dev.kopf4j.text;

import org.jspecify.annotations.Nullable;

/** Where in a cluster something is, as logs and commands say it. Pure. */
public final class PlaceText {
    private PlaceText() {}

    /** {@code in 'default'}, or {@code cluster-wide} where there is no namespace. */
    public static String of(@Nullable String namespace) {
        return namespace == null ? "cluster-wide" : "in '" + namespace + "'";
    }
}
