package dev.kopf4j.devcluster.faultinjection;

import dev.kopf4j.devcluster.api.TaskScheduler;
import dev.kopf4j.devcluster.api.WatchStream;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.status.ApiException;
import java.io.ByteArrayOutputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

/** A watch that something goes wrong with. */
public final class FaultyWatchStream implements WatchStream {
    private final WatchStream inner;
    private final TaskScheduler taskScheduler;
    private final RandomGenerator random;
    private final boolean duplicates;
    private final Duration delay;
    private final List<TaskScheduler.Timer> timers = new ArrayList<>();
    private volatile Runnable signal = () -> {};
    private volatile boolean silent;
    private volatile boolean stalled;
    private volatile boolean expired;
    private volatile boolean closed;
    private boolean waiting;
    private byte[] held = {};

    /** A watch with these faults, whose times begin now. */
    public FaultyWatchStream(
            WatchStream inner, List<Fault> faults, TaskScheduler taskScheduler, RandomGenerator random) {
        this.inner = inner;
        this.taskScheduler = taskScheduler;
        this.random = random;
        this.duplicates = faults.stream().anyMatch(Fault.Duplicates.class::isInstance);
        Duration longest = Duration.ZERO;
        for (Fault fault : faults) {
            switch (fault) {
                case Fault.Silence(Duration after) -> after(after, () -> silent = true);
                case Fault.Stall(Duration after, Duration time) -> {
                    after(after, () -> stalled = true);
                    after(after.plus(time), () -> stalled = false);
                }
                case Fault.Expiry(Duration after) -> after(after, () -> expired = true);
                case Fault.Delays(Duration most) -> longest = most;
                case Fault.Duplicates _, Fault.Latency _, Fault.Refusal _, Fault.Reset _ -> {}
            }
        }
        this.delay = longest;
    }

    private void after(Duration time, Runnable change) {
        if (time.isZero()) {
            change.run();
            return;
        }
        synchronized (timers) {
            timers.add(taskScheduler.later(time, () -> {
                change.run();
                signal.run();
            }));
        }
    }

    @Override
    public void onSignal(Runnable newSignal) {
        signal = newSignal;
        inner.onSignal(newSignal);
    }

    @Override
    public synchronized Optional<byte[]> take() {
        if (closed || stalled) {
            return Optional.empty();
        }
        if (silent) {
            discard();
            return Optional.empty();
        }
        if (expired) {
            close();
            return Optional.of(expiry());
        }
        return delay.isZero() ? inner.take().map(this::perhapsTwice) : delayed();
    }

    private void discard() {
        Optional<byte[]> lost = inner.take();
        while (lost.isPresent()) {
            lost = inner.take();
        }
    }

    private static byte[] expiry() {
        String status = Json.text(ApiException.expired("The resourceVersion for the provided watch is too old.")
                .status());
        return ("{\"type\":\"ERROR\",\"object\":" + status + "}\n").getBytes(java.nio.charset.StandardCharsets.UTF_8);
    }

    /** Holds each portion back for a while; what comes meanwhile waits behind it. */
    private Optional<byte[]> delayed() {
        if (waiting) {
            return Optional.empty();
        }
        if (held.length > 0) {
            byte[] lines = held;
            held = new byte[0];
            return Optional.of(perhapsTwice(lines));
        }
        Optional<byte[]> next = inner.take();
        if (next.isPresent()) {
            held = next.get();
            waiting = true;
            after(Duration.ofNanos(1 + random.nextLong(delay.toNanos())), this::release);
        }
        return Optional.empty();
    }

    private synchronized void release() {
        waiting = false;
    }

    private byte[] perhapsTwice(byte[] lines) {
        if (!duplicates) {
            return lines;
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream(lines.length * 2);
        int start = 0;
        for (int at = 0; at < lines.length; at++) {
            if (lines[at] == '\n') {
                int times = random.nextBoolean() ? 2 : 1;
                for (int count = 0; count < times; count++) {
                    out.write(lines, start, at + 1 - start);
                }
                start = at + 1;
            }
        }
        return out.toByteArray();
    }

    @Override
    public synchronized boolean ended() {
        if (closed) {
            return true;
        }
        return !silent && !stalled && !waiting && held.length == 0 && inner.ended();
    }

    @Override
    public void close() {
        closed = true;
        inner.close();
        synchronized (timers) {
            timers.forEach(TaskScheduler.Timer::cancel);
            timers.clear();
        }
    }
}
