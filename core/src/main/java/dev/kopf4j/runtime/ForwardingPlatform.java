package dev.kopf4j.runtime;

import java.time.Duration;
import java.time.Instant;
import java.util.random.RandomGenerator;

/** Another platform, of which something is changed by whoever extends this. As thread-safe as that. */
public abstract class ForwardingPlatform implements Platform {
    private final Platform platform;

    /** All as there. */
    protected ForwardingPlatform(Platform platform) {
        this.platform = platform;
    }

    @Override
    public Instant now() {
        return platform.now();
    }

    @Override
    public long nanos() {
        return platform.nanos();
    }

    @Override
    public Deadline after(Duration delay) {
        return platform.after(delay);
    }

    @Override
    public Task spawn(String name, Runnable body) {
        return platform.spawn(name, body);
    }

    @Override
    public void letOthersRun() {
        platform.letOthersRun();
    }

    @Override
    public long heapBytes() {
        return platform.heapBytes();
    }

    @Override
    public boolean mayStandStill() {
        return platform.mayStandStill();
    }

    @Override
    public Monitor monitor() {
        return platform.monitor();
    }

    @Override
    public RandomGenerator random() {
        return platform.random();
    }

    @Override
    public void sleep(Duration duration) throws InterruptedException {
        platform.sleep(duration);
    }
}
