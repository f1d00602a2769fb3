package dev.kopf4j.testing.recording;

import dev.kopf4j.runtime.ForwardingPlatform;
import dev.kopf4j.runtime.Platform;
import dev.kopf4j.runtime.Task;

/** The same machine, with all tasks belonging to one recording, which gets their logs. Thread-safe. */
public final class RecordingPlatform extends ForwardingPlatform {
    private final Recording recording;

    /**
     * Another machine.
     *
     * @param platform the machine
     * @param recording who gets the logs of the tasks
     */
    public RecordingPlatform(Platform platform, Recording recording) {
        super(platform);
        this.recording = recording;
    }

    @Override
    public Task spawn(String name, Runnable body) {
        return super.spawn(name, () -> CurrentRecording.within(recording, body));
    }
}
