package dev.kopf4j.engine.probe;

import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Whether a request was meant for this machine: a foreign page in the same browser, or a foreign name that leads to the
 * loopback address (DNS rebinding), is refused. Pure.
 */
public final class LoopbackNames {
    /** With IPv6, as {@code kubectl port-forward} listens there, too. */
    private static final Pattern HOST = Pattern.compile("(?i)(localhost|127\\.0\\.0\\.1|\\[::1])(:\\d{1,5})?");

    private static final String SCHEME = "http://";

    private LoopbackNames() {}

    /** True for exactly one {@code Host}, of the loopback, and at most one {@code Origin}, of the loopback, too. */
    public static boolean allow(@Nullable List<String> hosts, @Nullable List<String> origins) {
        return hosts != null && hosts.size() == 1 && isHost(hosts.getFirst()) && areOwn(origins);
    }

    private static boolean areOwn(@Nullable List<String> origins) {
        return origins == null
                || origins.isEmpty()
                || (origins.size() == 1
                        && origins.getFirst().startsWith(SCHEME)
                        && isHost(origins.getFirst().substring(SCHEME.length())));
    }

    private static boolean isHost(String text) {
        return HOST.matcher(text).matches();
    }
}
