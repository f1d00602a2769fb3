package dev.kopf4j.engine.simulation;

import ch.qos.logback.classic.Level;
import dev.kopf4j.Handler;
import dev.kopf4j.OnDaemon;
import dev.kopf4j.OperatorBuilder;
import dev.kopf4j.runtime.Deadline;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/** A scenario with a daemon {@code dmn}. Its starts and ends are noted among the calls, with their times. */
public final class DaemonScenario extends Scenario {
    public void say(String what) {
        calls.add(what + " at " + seconds());
    }

    public UnaryOperator<OperatorBuilder> daemon(Consumer<OnDaemon.Options> options, Handler handler) {
        return builder -> builder.onDaemon("kex", "dmn", options, context -> {
            say("starts " + context.retry());
            return handler.handle(context);
        });
    }

    public Handler untilStopped() {
        return context -> {
            context.stopped().await();
            say("ends " + context.stopped().reasons());
            return null;
        };
    }

    public void create() {
        server.create(Scenario.example());
    }

    public List<String> warnings() {
        return lines(Level.WARN);
    }

    public boolean isHeld() {
        return server.exists("x") && at("/metadata/finalizers/0").asString("").equals(Scenario.FINALIZER);
    }

    /** Waits as code does that knows nothing of interrupts. */
    public void deafFor(Duration time) {
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
