package dev.kopf4j.engine;

import dev.kopf4j.OperatorException;
import dev.kopf4j.runtime.ForwardingPlatform;
import dev.kopf4j.runtime.Platform;
import dev.kopf4j.runtime.SystemPlatform;
import dev.kopf4j.runtime.Task;
import dev.kopf4j.runtime.TaskEndError;

/**
 * The platform of one run of an operator, which fails when a task has failed that it cannot do without: an operator
 * that does not renew its lease any more, or does not look for peers, must not go on as if all were well. Thread-safe.
 */
final class RunPlatform extends ForwardingPlatform {
    private final RunState state;
    private final boolean ofMachine;

    RunPlatform(Platform platform, RunState state) {
        super(platform);
        this.state = state;
        this.ofMachine = platform instanceof SystemPlatform;
    }

    /** Whether it is the machine, as people run operators, and no other one. */
    boolean isOfMachine() {
        return ofMachine;
    }

    @Override
    public Task spawnEssential(String name, Runnable body) {
        return spawn(name, () -> {
            try {
                body.run();
            } catch (TaskEndError e) {
                throw e;
            } catch (RuntimeException | Error e) {
                state.fail(new OperatorException(
                        "The operator cannot go on: '" + name + "' has failed unexpectedly: " + e, e));
                throw e;
            }
        });
    }
}
