package dev.kopf4j.engine.lifecycle;

import dev.kopf4j.Handler;
import dev.kopf4j.HandlerContext;
import dev.kopf4j.PermanentException;
import dev.kopf4j.TemporaryException;
import dev.kopf4j.runtime.Platform;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * What the handlers do in their calls, chosen by the seed, the handler, and how often it was called: the same under
 * both lifecycles, as long as they call the same. Only the first calls of a handler change something or fail, so that
 * each story comes to an end.
 */
final class RandomBehaviour {
    private static final int CALLS_WITH_PATCHES = 3;
    private static final int CALLS_THAT_FAIL = 4;
    private static final List<Integer> MILLIS = List.of(5, 20, 45, 60, 700, 3000);

    private final long seed;
    private final RandomOperator operator;
    private final Platform platform;
    private final Map<String, Integer> calls = new HashMap<>();

    RandomBehaviour(long seed, RandomOperator operator, Platform platform) {
        this.seed = seed;
        this.operator = operator;
        this.platform = platform;
    }

    private Random random(String what, HandlerContext context) {
        String call = what + " " + context.uid() + " " + context.handlerId();
        int number = calls.merge(call, 1, Integer::sum) - 1;
        Random random = new Random(seed * 1_000_003L + call.hashCode() * 31L + number);
        random.nextLong();
        return random;
    }

    private int number(String what, HandlerContext context) {
        return calls.getOrDefault(what + " " + context.uid() + " " + context.handlerId(), 0) - 1;
    }

    /** A handler without sub-handlers. */
    @Nullable Object work(HandlerContext context) throws InterruptedException {
        Random random = random("work", context);
        int number = number("work", context);
        linger(random);
        if (number < CALLS_WITH_PATCHES) {
            for (int i = random.nextInt(3); i > 0; i--) {
                patch(context, random);
            }
        }
        if (number < CALLS_THAT_FAIL) {
            failNowAndThen(context, random, number);
        }
        return result(random);
    }

    private void linger(Random random) throws InterruptedException {
        if (operator.slow() && random.nextInt(3) == 0) {
            platform.sleep(Duration.ofMillis(MILLIS.get(random.nextInt(MILLIS.size()))));
        }
    }

    private void failNowAndThen(HandlerContext context, Random random, int number) {
        switch (random.nextInt(12)) {
            case 0 -> throw new TemporaryException("soon", delay(context, 1_000, number));
            case 1 -> throw new TemporaryException("much later", delay(context, 100_000, number));
            case 2 -> throw new PermanentException("never");
            case 3 -> throw new IllegalStateException("a defect");
            case 4 -> {
                if (!operator.hasParents()) {
                    throw new TemporaryException("at once", Duration.ZERO);
                }
            }
            default -> {}
        }
    }

    /** No two handlers are due at the same moment: with equal attempts their order would be another one for parents. */
    private static Duration delay(HandlerContext context, int least, int number) {
        return Duration.ofMillis(least + Math.floorMod(context.handlerId().hashCode(), 9_973) + 13L * number);
    }

    private static @Nullable Object result(Random random) {
        return switch (random.nextInt(4)) {
            case 0 -> Map.of("k" + random.nextInt(2), random.nextInt(10));
            case 1 -> random.nextInt(10);
            default -> null;
        };
    }

    private static void patch(HandlerContext context, Random random) {
        int value = random.nextInt(3);
        switch (random.nextInt(14)) {
            case 0, 1 -> context.patch().spec().set("f" + random.nextInt(2), value);
            case 2 -> context.patch().spec().set("f" + random.nextInt(2), null);
            case 3 -> context.patch().spec().set("deep", Map.of("k" + random.nextInt(2), value));
            case 4 -> context.patch().spec().set("deep", value == 0 ? null : value);
            case 5 -> context.patch().spec().set("deep.k" + random.nextInt(2), value == 0 ? null : value);
            case 6 -> context.patch().status().set("s" + random.nextInt(2), value);
            case 7 -> context.patch().status().set("deep", value == 0 ? null : Map.of("k" + value, value));
            case 8 -> context.patch().label("l" + random.nextInt(2), value == 0 ? null : "v" + value);
            case 9 -> context.patch().annotation("a" + random.nextInt(2), value == 0 ? null : "v" + value);
            case 10 -> context.patch().transform(body -> append(body, "spec", context.handlerId()));
            case 11 -> context.patch().transform(body -> append(body, "status", context.handlerId()));
            case 12 -> context.patch().merge(Map.of("status", Map.of(context.handlerId(), value)));
            default -> context.patch().spec().set("items", List.of("set"));
        }
    }

    @SuppressWarnings("unchecked")
    private static void append(Map<String, @Nullable Object> body, String stanza, String item) {
        Map<String, Object> part = (Map<String, Object>) body.computeIfAbsent(stanza, key -> new HashMap<>());
        List<Object> items =
                new ArrayList<>(part.get("items") instanceof List<?> there ? (List<Object>) there : List.<Object>of());
        if (!items.contains(item)) {
            items.add(item);
        }
        part.put("items", items);
    }

    /**
     * Before a parent declares its sub-handlers. What it changes is always the same, as some of its calls are saved on
     * purpose.
     */
    void prepare(HandlerContext context) throws InterruptedException {
        Random random = random("prepare", context);
        if (number("prepare", context) == 0) {
            linger(random);
            if (random.nextInt(5) == 0) {
                throw new TemporaryException("not prepared yet", delay(context, 1_500, 0));
            }
        }
        Random own = new Random(seed + context.handlerId().hashCode());
        own.nextLong();
        String key = "of-" + context.handlerId().replace('/', '-').replace('.', '-');
        switch (own.nextInt(6)) {
            case 0 -> context.patch().spec().set(key, "prepared");
            case 1 -> context.patch().status().set(key, "prepared");
            case 2 -> context.patch().annotation(key, "prepared");
            default -> {}
        }
    }

    /** A sub-handler that is declared in some states of the object only. */
    Handler recorded(List<RecordedCall> record, Platform clock) {
        return context -> {
            RecordedCall call = new RecordedCall(context, clock.now());
            record.add(call);
            try {
                return work(context);
            } finally {
                call.end(clock.now());
            }
        };
    }

    /** Behind the sub-handlers of a parent. */
    @Nullable Object finish(HandlerContext context) {
        Random random = random("finish", context);
        if (number("finish", context) == 0 && random.nextInt(4) == 0) {
            context.patch().status().set("finish-failed", true);
            throw new TemporaryException("not finished yet", delay(context, 1_700, 0));
        }
        return result(random);
    }
}
