package dev.kopf4j.engine;

import ch.qos.logback.classic.Level;
import dev.kopf4j.Handler;
import dev.kopf4j.HandlerOptions;
import dev.kopf4j.OperatorBuilder;
import dev.kopf4j.runtime.Deadline;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;

/** A scenario of objects with a daemon {@code dmn}, whose starts and ends are among the calls, with their times. */
final class DaemonScenario extends Scenario {
    void say(String what) {
        calls.add(what + " at " + seconds());
    }

    UnaryOperator<OperatorBuilder> daemon(UnaryOperator<HandlerOptions> options, Handler handler) {
        return builder -> builder.onDaemon("kex", h -> options.apply(h.id("dmn")), context -> {
            say("starts " + context.retry());
            return handler.handle(context);
        });
    }

    Handler untilStopped() {
        return context -> {
            context.stopped().await();
            say("ends " + context.stopped().reasons());
            return null;
        };
    }

    void create() {
        server.create(Scenario.example());
    }

    List<String> warnings() {
        return lines(Level.WARN);
    }

    boolean isHeld() {
        return server.exists("x") && at("/metadata/finalizers/0").asString("").equals(Scenario.FINALIZER);
    }

    /** Waits as code does that knows nothing of interrupts. */
    void deafFor(Duration time) {
        Deadline end = world.after(time);
        while (!end.hasPassed(world)) {
            try {
                world.monitor().awaitTrue(() -> false, end);
            } catch (InterruptedException e) {
                say("is interrupted");
            }
        }
    }
}
