package dev.kopf4j.e2e.endurance.operator;

import dev.kopf4j.HandlerContext;
import dev.kopf4j.OnCreate;
import dev.kopf4j.OnDelete;
import dev.kopf4j.OnUpdate;
import dev.kopf4j.TemporaryException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The operator under trial: its handlers write down the begin and the end of each call. Some calls take a while, some
 * fail at the first attempt, so that whatever happens to the process hits all states that an object can be in.
 */
public final class TrialHandlers {
    /** The variable of the environment that names the file of calls. */
    public static final String FILE = "ENDURANCE_CALLS";

    private static final String TRIALS = "trials.endurance.kopf4j.dev";
    private static final int LONGEST_MILLIS = 60;

    private final CallFile file = CallFile.continued(Path.of(System.getenv(FILE)));
    private final AtomicInteger number = new AtomicInteger();

    /** Made by kopf4j. */
    public TrialHandlers() {}

    @OnCreate(TRIALS)
    Map<String, Object> first(HandlerContext call) throws InterruptedException {
        run(call);
        return Map.of("value", value(call));
    }

    @OnCreate(TRIALS)
    void second(HandlerContext call) throws InterruptedException {
        run(call);
    }

    @OnUpdate(TRIALS)
    Map<String, Object> changed(HandlerContext call) throws InterruptedException {
        run(call);
        return Map.of("value", value(call));
    }

    @OnUpdate(TRIALS)
    void followed(HandlerContext call) throws InterruptedException {
        run(call);
    }

    @OnDelete(TRIALS)
    void released(HandlerContext call) throws InterruptedException {
        run(call);
    }

    private void run(HandlerContext call) throws InterruptedException {
        String id = ProcessHandle.current().pid() + "-" + number.incrementAndGet();
        file.add(begin(id, call));
        int chance = Math.floorMod((call.handlerId() + call.uid() + value(call)).hashCode(), 100);
        Thread.sleep(chance % 3 == 0 ? chance * LONGEST_MILLIS / 100 : 0);
        if (chance < 20 && call.retry() == 0) {
            file.add(end(id, "again"));
            throw new TemporaryException("the first attempt fails", Duration.ofMillis(10L * chance));
        }
        file.add(end(id, "done"));
    }

    private static String begin(String id, HandlerContext call) {
        return String.join(
                "\t",
                "begin",
                id,
                call.handlerId(),
                call.uid(),
                call.namespace().orElse("") + "/" + call.name(),
                Long.toString(value(call)),
                call.meta().getString("resourceVersion", "0"),
                Long.toString(System.currentTimeMillis()));
    }

    private static String end(String id, String how) {
        return String.join("\t", "end", id, how, Long.toString(System.currentTimeMillis()));
    }

    private static long value(HandlerContext call) {
        return call.spec().getLong("value", 0);
    }
}
