package dev.kopf4j.testing.recording;

import dev.kopf4j.runtime.Monitor;
import dev.kopf4j.runtime.Platform;
import dev.kopf4j.runtime.Task;
import java.time.Instant;
import java.util.random.RandomGenerator;

/**
 * The same machine, with all tasks belonging to one recording. Thread-safe.
 *
 * @param platform the machine
 * @param recording who gets the logs of the tasks
 */
public record RecordingPlatform(Platform platform, Recording recording) implements Platform {
    @Override
    public Instant now() {
        return platform.now();
    }

    @Override
    public long nanos() {
        return platform.nanos();
    }

    @Override
    public Task spawn(String name, Runnable body) {
        return platform.spawn(name, () -> CurrentRecording.within(recording, body));
    }

    @Override
    public void letOthersRun() {
        platform.letOthersRun();
    }

    @Override
    public Monitor monitor() {
        return platform.monitor();
    }

    @Override
    public RandomGenerator random() {
        return platform.random();
    }
}
