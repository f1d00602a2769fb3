package dev.kopf4j.engine.simulation;

import dev.kopf4j.runtime.SystemPlatform;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;

/** Computes on all threads that carry virtual ones, so that none of these goes on until it is closed. */
public final class BusyCarriers implements AutoCloseable {
    private final AtomicBoolean over = new AtomicBoolean();

    /** Returns when all of them are busy. */
    public BusyCarriers() throws InterruptedException {
        int carriers = Integer.getInteger(
                "jdk.virtualThreadScheduler.parallelism", Runtime.getRuntime().availableProcessors());
        CountDownLatch begun = new CountDownLatch(carriers);
        for (int i = 0; i < carriers; i++) {
            new SystemPlatform().spawn("computing", () -> {
                begun.countDown();
                while (!over.get()) {
                    Thread.onSpinWait();
                }
            });
        }
        begun.await();
    }

    @Override
    public void close() {
        over.set(true);
    }
}
