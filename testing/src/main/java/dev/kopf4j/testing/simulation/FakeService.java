package dev.kopf4j.testing.simulation;

import dev.kopf4j.runtime.SimulatedPlatform;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/**
 * A system outside of the cluster, such as a database or a DNS provider, for handlers under test: it counts what has
 * really had an effect. Thread-safe.
 *
 * <p>Real systems recognise a repeated request by a key that the client chooses, the idempotency key. So does this one:
 * a second request with the same key has no effect.
 *
 * <p>Calls of an operator that was killed have no effect: they end the task, as calls of its client do.
 */
public final class FakeService {
    private final Set<String> keys = new LinkedHashSet<>();
    private final Map<String, Integer> effects = new LinkedHashMap<>();
    private final Set<String> existing = new LinkedHashSet<>();

    /** A service that nobody has called. */
    public FakeService() {}

    /** Has an effect each time, such as sending a mail. */
    public synchronized void call(String effect) {
        SimulatedPlatform.endIfKilled();
        effects.merge(effect, 1, Integer::sum);
        FakeHttp.tellCarriedOut();
    }

    /** Has an effect the first time that this key comes. */
    public synchronized void call(String idempotencyKey, String effect) {
        SimulatedPlatform.endIfKilled();
        if (keys.add(idempotencyKey)) {
            call(effect);
        }
    }

    /** Makes sure that something exists there; that it is made counts as an effect. */
    public synchronized void ensure(String thing) {
        SimulatedPlatform.endIfKilled();
        if (existing.add(thing)) {
            call("create " + thing);
        }
    }

    /** Makes sure that something does not exist there. */
    public synchronized void remove(String thing) {
        SimulatedPlatform.endIfKilled();
        if (existing.remove(thing)) {
            call("remove " + thing);
        }
    }

    /** How often something had an effect. */
    public synchronized int effective(String effect) {
        return effects.getOrDefault(effect, 0);
    }

    /** How often each effect has happened, in the order in which they have happened first. */
    public synchronized Map<String, Integer> effects() {
        return Collections.unmodifiableMap(new LinkedHashMap<>(effects));
    }

    /** What exists there, in the order in which it was made. */
    public synchronized Set<String> existing() {
        return Collections.unmodifiableSet(new LinkedHashSet<>(existing));
    }
}
