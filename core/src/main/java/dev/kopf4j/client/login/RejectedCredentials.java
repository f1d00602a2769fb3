package dev.kopf4j.client.login;

import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.Platform;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;

/** The last few credentials of each login that the server has rejected. Confined to its owner's lock. */
final class RejectedCredentials {
    private static final int KEPT_MAX = 3;
    private static final Duration KEPT_FOR = Duration.ofMinutes(1);

    private final Platform platform;
    private final Map<String, Deque<Rejected>> byLogin = new HashMap<>();

    RejectedCredentials(Platform platform) {
        this.platform = platform;
    }

    private record Rejected(CredentialSnapshot snapshot, Deadline until) {}

    void add(String login, CredentialSnapshot snapshot) {
        Deque<Rejected> last = byLogin.computeIfAbsent(login, any -> new ArrayDeque<>());
        last.addLast(new Rejected(snapshot, platform.after(KEPT_FOR)));
        if (last.size() > KEPT_MAX) {
            last.removeFirst();
        }
    }

    boolean contains(String login, CredentialSnapshot snapshot) {
        Deque<Rejected> last = byLogin.getOrDefault(login, new ArrayDeque<>());
        return last.stream()
                .anyMatch(one -> one.snapshot().equals(snapshot) && !one.until().hasPassed(platform));
    }
}
