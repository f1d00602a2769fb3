package dev.kopf4j.devcluster.faultinjection;

import dev.kopf4j.devcluster.api.ApiRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;

/**
 * What goes wrong on demand: rules that say which requests are befallen by what, and an offset of the server's clock.
 * The same seed and the same requests in the same order give the same faults. Rules may be added and removed at any
 * time; thread-safe.
 */
public final class Faults {
    private final Random random;
    private final Map<FaultRule, Integer> left = new LinkedHashMap<>();
    private final AtomicReference<Duration> clockOffset = new AtomicReference<>(Duration.ZERO);
    private volatile boolean none = true;

    /** No faults yet. */
    public Faults(long seed) {
        this.random = new Random(seed);
    }

    /** Adds a rule; a rule that is there already counts anew. */
    public Faults add(FaultRule rule) {
        synchronized (left) {
            left.put(rule, rule.times());
            none = false;
        }
        return this;
    }

    /** Adds a rule in the form of {@link FaultRule#parse}. */
    public Faults add(String rule) {
        return add(FaultRule.parse(rule));
    }

    /** Removes all rules; watches that were befallen stay so. */
    public void clear() {
        synchronized (left) {
            left.clear();
            none = true;
        }
    }

    /** The rules in force, in the order in which they were added. */
    public List<FaultRule> rules() {
        synchronized (left) {
            return List.copyOf(left.keySet());
        }
    }

    /** By how much the server's clock is ahead of the true time; negative when it is behind. */
    public Duration clockOffset() {
        return clockOffset.get();
    }

    /** Sets the server's clock ahead of the true time, or behind it by a negative offset. */
    public Faults clockOffset(Duration offset) {
        clockOffset.set(offset);
        return this;
    }

    /** What befalls a request, in the order of the rules. */
    public List<Fault> draw(ApiRequest request) {
        if (none) {
            return List.of();
        }
        synchronized (left) {
            List<Fault> found = new ArrayList<>();
            for (FaultRule rule : rules()) {
                if (rule.fits(request) && random.nextDouble() < rule.probability()) {
                    found.add(rule.fault());
                    count(rule);
                }
            }
            return found;
        }
    }

    private void count(FaultRule rule) {
        if (rule.times() < Integer.MAX_VALUE && left.merge(rule, -1, Integer::sum) == 0) {
            left.remove(rule);
            none = left.isEmpty();
        }
    }

    /** A random time between two. */
    Duration randomDuration(Duration least, Duration most) {
        long nanos = most.minus(least).toNanos();
        synchronized (left) {
            return nanos <= 0 ? least : least.plusNanos(random.nextLong(nanos + 1));
        }
    }

    /** A new source of chance for one watch. */
    Random newRandom() {
        synchronized (left) {
            return new Random(random.nextLong());
        }
    }
}
