package dev.kopf4j.testing.simulation;

import dev.kopf4j.OperatorException;
import dev.kopf4j.OperatorHandle;
import dev.kopf4j.engine.probe.ReadinessPage;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.SimulatedPlatform;
import dev.kopf4j.testing.recording.Recording;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One replica of the operator, which is started again a second after its end, as a cluster does with containers.
 * Confined to the simulation.
 */
final class Replica {
    private static final Duration PAUSE = Duration.ofSeconds(1);
    private static final Duration EXIT = Duration.ofMinutes(2);

    private final SimulatedPlatform world;
    private final String name;
    private final Function<SimulatedPlatform, OperatorHandle> starter;
    private final Recording recording;
    private final Consumer<String> failed;
    private SimulatedPlatform machine;
    private @Nullable OperatorHandle handle;
    private @Nullable String failure;
    private int incarnation;
    private boolean over;

    /**
     * A replica that does not run yet.
     *
     * @param starter starts the operator on a machine
     * @param failed is told why the operator has ended by itself
     */
    Replica(
            SimulatedPlatform world,
            String name,
            Function<SimulatedPlatform, OperatorHandle> starter,
            Recording recording,
            Consumer<String> failed) {
        this.world = world;
        this.name = name;
        this.starter = starter;
        this.recording = recording;
        this.failed = failed;
        this.machine = world;
    }

    /** Runs it until the simulation is over. */
    void live() {
        world.machine("node").spawn(name, () -> {
            try {
                while (!over) {
                    liveOnce();
                    world.sleep(PAUSE);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
    }

    private void liveOnce() throws InterruptedException {
        SimulatedPlatform own = world.machine(name + "-" + ++incarnation);
        machine = own;
        recording.noted("operator", name + " starts");
        OperatorHandle started = starter.apply(own);
        handle = started;
        failure = null;
        world.monitor().awaitTrue(() -> own.isKilled() || started.hasEnded(), Deadline.NEVER);
        handle = null;
        if (own.isKilled()) {
            recording.noted("operator", name + " was killed");
            return;
        }
        try {
            started.join();
            recording.noted("operator", name + " has ended");
        } catch (OperatorException e) {
            recording.noted("operator", name + " has failed: " + e.getMessage());
            failure = String.valueOf(e.getMessage());
            failed.accept(failure);
        }
        own.kill();
    }

    /** What holds it up, in words; nothing while it has not begun to watch, as during its start-up handlers. */
    List<String> obstacles() {
        OperatorHandle running = handle;
        String why = failure;
        return running != null
                ? ReadinessPage.obstacles(running.state())
                : why == null ? List.of() : List.of("it has failed: " + why);
    }

    void kill() {
        if (!machine.equals(world)) {
            machine.kill();
        }
    }

    /** Suspends its process for so long. */
    void suspend(Duration time) {
        if (!machine.equals(world)) {
            recording.noted("operator", name + " stands still for " + seconds(time));
            machine.suspend(time);
        }
    }

    /** Ends a suspension, if there is one. */
    void resume() {
        machine.suspend(Duration.ZERO);
    }

    /** Cuts it off from the server for so long. */
    void cutOff(FaultyNetwork network, Duration time) {
        recording.noted("operator", name + " reaches no server for " + seconds(time));
        network.cutOff(machine, time);
    }

    private static String seconds(Duration time) {
        return time.toMillis() / 1000.0 + " s";
    }

    void restart() {
        OperatorHandle running = handle;
        if (running != null && !machine.isKilled()) {
            SimulatedPlatform stopping = machine;
            running.stop();
            // A node kills what does not end.
            world.machine("node").spawn("end of " + name, () -> {
                try {
                    var _ = world.monitor()
                            .awaitTrue(() -> stopping.isKilled() || running.hasEnded(), world.after(EXIT));
                    stopping.kill();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
        }
    }

    void end() {
        over = true;
        kill();
    }
}
