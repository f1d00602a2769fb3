package dev.kopf4j.engine.queueing;

import dev.kopf4j.engine.daemon.ObjectDaemons;
import dev.kopf4j.engine.processing.CycleResult;
import dev.kopf4j.engine.processing.CycleTrigger;
import dev.kopf4j.engine.processing.ObjectMemory;
import dev.kopf4j.engine.processing.ObjectProcessor;
import dev.kopf4j.engine.processing.QueuedEvent;
import dev.kopf4j.runtime.ActionSchedule;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.Monitor;
import java.util.function.Function;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * What is done for each object: its events and its moments, one after another, and what comes of them. Guarded by the
 * reactor's monitor, except where said.
 */
final class ObjectWorker implements WorkerPool.Work {
    private final Monitor monitor;
    private final ObjectProcessor processor;
    private final ActionSchedule actionSchedule;
    private final KnownObjects table;
    private final StreamIndexReadiness gate;
    private final WorkerPool workerPool;
    private final LongConsumer began;
    private boolean stopped;

    /**
     * No work yet.
     *
     * @param workforce makes the workers
     * @param began hears of each event that is processed, with the time since which the object has had events
     */
    ObjectWorker(
            Monitor monitor,
            ObjectProcessor processor,
            ActionSchedule actionSchedule,
            KnownObjects table,
            StreamIndexReadiness gate,
            Function<WorkerPool.Work, WorkerPool> workforce,
            LongConsumer began) {
        this.monitor = monitor;
        this.processor = processor;
        this.actionSchedule = actionSchedule;
        this.table = table;
        this.gate = gate;
        this.began = began;
        this.workerPool = workforce.apply(this);
    }

    WorkerPool workerPool() {
        return workerPool;
    }

    boolean isStopped() {
        return stopped;
    }

    void restart() {
        stopped = false;
    }

    /** Drops everything that has not begun. What is being processed goes on. */
    void stop() {
        stopped = true;
        workerPool.dismissWaiting();
        table.all().forEach(this::drop);
    }

    private void drop(ObjectMemory slot) {
        cancelWakeUp(slot);
        table.dropEvents(slot);
        if (!slot.hasWorker) {
            slot.dropPending();
            processor.forgetVersions(slot);
        }
    }

    /** Something has come for the slot: it is looked at now, unless it is to be left alone after an error. */
    void begin(ObjectMemory slot) {
        if (!slot.throttled) {
            cancelWakeUp(slot);
            start(slot);
        }
    }

    /** Gives the slot a worker, or a place in a queue. */
    void start(ObjectMemory slot) {
        if (slot.hasWorker || stopped) {
            return;
        }
        if (gate.mustWait(slot)) {
            gate.add(slot);
        } else {
            workerPool.assign(slot);
        }
    }

    private static void cancelWakeUp(ObjectMemory slot) {
        if (slot.wakeUp != null) {
            slot.wakeUp.cancel();
            slot.wakeUp = null;
        }
    }

    @Override
    public void serve(ObjectMemory slot) throws InterruptedException {
        CycleTrigger cycleTrigger = next(slot);
        while (cycleTrigger != null) {
            CycleResult cycleResult = processor.process(slot, cycleTrigger);
            remember(slot, cycleResult);
            rememberDaemons(slot, cycleResult);
            monitor.locked(() -> applyResult(slot, cycleResult));
            cycleTrigger = next(slot);
        }
    }

    @Override
    public void abandoned(ObjectMemory slot) {
        slot.hasWorker = false;
        drop(slot);
    }

    /**
     * What the worker has to look at next; null if the slot has no work, and its worker has to leave it. Without the
     * monitor.
     */
    private @Nullable CycleTrigger next(ObjectMemory slot) {
        Supplier<CycleTrigger> work = monitor.locked(() -> {
            Supplier<CycleTrigger> polled = stopped || slot.throttled ? null : poll(slot);
            slot.hasWorker = polled != null;
            if (stopped) {
                drop(slot);
            } else if (polled == null) {
                settleDown(slot);
            }
            return polled;
        });
        if (work == null && monitor.locked(gate::becomesReady)) {
            gate.release();
        }
        return work == null ? null : work.get();
    }

    /** Its worker leaves it: everything is done, or has to wait for the gate. */
    private void settleDown(ObjectMemory slot) {
        if (!slot.throttled && slot.hasWork()) {
            gate.add(slot);
        }
        if (slot.waiting() == 0) {
            gate.indexed(slot);
        }
    }

    /** What is to be done; its object is parsed when it is got, outside of the lock. */
    private @Nullable Supplier<CycleTrigger> poll(ObjectMemory slot) {
        if (slot.listedIn > slot.versionLearntInList) {
            processor.forgetVersions(slot);
        }
        // Asked once: it may open at any time.
        boolean early = gate.isClosed();
        if (early && !gate.canIndex(slot)) {
            return null;
        }
        QueuedEvent indexed = early ? null : slot.takeParked();
        QueuedEvent event = indexed == null ? pollNeeded(slot) : indexed;
        if (event != null) {
            slot.wakeRequested = false;
            if (early) {
                return () -> new CycleTrigger.IndexOnly(event, event.event());
            }
            boolean outdated = slot.isOutdated(event);
            long since = slot.waitingSince;
            return () -> {
                began.accept(since);
                return new CycleTrigger.Event(event.event(), outdated, indexed != null);
            };
        }
        if (slot.wakeRequested) {
            slot.wakeRequested = false;
            Supplier<ObjectNode> body = slot.rememberedOrLiveBody();
            return body == null ? null : () -> new CycleTrigger.WakeUp(body.get());
        }
        return null;
    }

    private @Nullable QueuedEvent pollNeeded(ObjectMemory slot) {
        QueuedEvent event;
        do {
            event = table.poll(slot);
        } while (event != null && processor.skipsAsEcho(slot, event));
        return event;
    }

    /** The worker's part of the settling, without the monitor: bodies may be large. */
    private static void remember(ObjectMemory slot, CycleResult cycleResult) {
        switch (cycleResult) {
            case CycleResult.Idle(), CycleResult.Forget() -> slot.forgetBody();
            case CycleResult.AwaitIndices _ -> {}
            case CycleResult.AwaitEcho(ObjectNode body) -> slot.rememberBody(body);
            case CycleResult.WakeUp(Deadline _, ObjectNode body) -> slot.rememberBody(body);
            case CycleResult.Throttled(Deadline _, ObjectNode body) -> slot.rememberBody(body);
        }
    }

    /** The worker's part again: daemons end at moments of their own, and of vanished objects they have to. */
    private void rememberDaemons(ObjectMemory slot, CycleResult cycleResult) {
        ObjectDaemons daemons = slot.daemons;
        if (daemons == null) {
            slot.daemonsNotifyWorker = false;
        } else if (cycleResult instanceof CycleResult.Forget) {
            daemons.gone();
            slot.daemons = null;
        } else if (!slot.daemonsNotifyWorker) {
            slot.daemonsNotifyWorker = true;
            daemons.onEnded(() -> wakeNow(slot));
        }
    }

    private void wakeNow(ObjectMemory slot) {
        monitor.locked(() -> {
            slot.wakeRequested = true;
            if (!slot.throttled) {
                start(slot);
            }
        });
    }

    private void applyResult(ObjectMemory slot, CycleResult cycleResult) {
        slot.throttled = false;
        cancelWakeUp(slot);
        if (stopped && !(cycleResult instanceof CycleResult.Forget)) {
            return;
        }
        switch (cycleResult) {
            case CycleResult.Idle(), CycleResult.AwaitEcho _ -> {}
            case CycleResult.AwaitIndices(var event) -> slot.park(event, !processor.keepsEachEvent());
            case CycleResult.Forget() -> {
                if (slot.waiting() == 0) {
                    table.forget(slot);
                }
            }
            case CycleResult.WakeUp(Deadline at, ObjectNode _) -> {
                slot.wakeUp = actionSchedule.at(at, () -> wake(slot, at));
            }
            case CycleResult.Throttled(Deadline until, ObjectNode _) -> {
                slot.throttled = true;
                slot.wakeUp = actionSchedule.at(until, () -> wake(slot, until));
            }
        }
    }

    private void wake(ObjectMemory slot, Deadline due) {
        monitor.locked(() -> {
            // It may have been cancelled when it was about to run.
            if (slot.wakeUp != null && slot.wakeUp.deadline().equals(due)) {
                slot.throttled = false;
                slot.wakeUp = null;
                slot.wakeRequested = true;
                start(slot);
            }
        });
    }
}
