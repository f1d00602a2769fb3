package dev.kopf4j.devcluster.faultinjection;

import dev.kopf4j.devcluster.api.ApiRequest;
import dev.kopf4j.devcluster.api.ApiResponse;
import dev.kopf4j.devcluster.api.TaskScheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;

/**
 * The faults to inject: rules that say which requests get which fault, and an offset of the server's clock. The same
 * seed and the same requests in the same order give the same faults. Rules may be added and removed at any time;
 * thread-safe.
 */
public final class Faults {
    /** What the message of each injected refusal begins with. */
    public static final String WORDS = "a fault on demand";

    private final Random random;
    private final Map<FaultRule, Integer> left = new LinkedHashMap<>();
    private final AtomicReference<Duration> clockOffset = new AtomicReference<>(Duration.ZERO);
    private volatile boolean none = true;

    /** No faults yet. */
    public Faults(long seed) {
        this.random = new Random(seed);
    }

    /** Adds a rule; if an equal rule is in force, its number of times starts again. */
    public Faults add(FaultRule rule) {
        synchronized (left) {
            left.put(rule, rule.times());
            none = false;
        }
        return this;
    }

    /** Adds a rule in the form of {@link FaultRule#parse}; {@link IllegalArgumentException} if it is none. */
    public Faults add(String rule) {
        return add(FaultRule.parse(rule));
    }

    /** Removes all rules. Faults that a watch already has stay with it. */
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

    /**
     * Sets the offset of the clock as text, such as {@code 5s} or {@code -200ms}.
     *
     * @throws IllegalArgumentException if the text is no time
     */
    public Faults clockOffset(String offset) {
        boolean behind = offset.startsWith("-");
        Duration time = TimeSyntax.parse(behind ? offset.substring(1) : offset);
        return clockOffset(behind ? time.negated() : time);
    }

    /**
     * Puts these faults in front of a server: a request that a rule matches gets the rule's fault. A dev cluster has
     * them in front already.
     *
     * @param taskScheduler where the delays of watches run
     */
    public Function<ApiRequest, ApiResponse> inject(
            TaskScheduler taskScheduler, Function<ApiRequest, ApiResponse> server) {
        return new FaultInjector(this, taskScheduler, server);
    }

    /** Draws the faults of a request, in the order of the rules. */
    List<Fault> draw(ApiRequest request) {
        if (none) {
            return List.of();
        }
        synchronized (left) {
            List<Fault> found = new ArrayList<>();
            for (FaultRule rule : rules()) {
                if (rule.matches(request) && random.nextDouble() < rule.probability()) {
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

    /** A new random generator for one watch. */
    Random newRandom() {
        synchronized (left) {
            return new Random(random.nextLong());
        }
    }
}
