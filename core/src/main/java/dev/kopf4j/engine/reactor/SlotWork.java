package dev.kopf4j.engine.reactor;

import dev.kopf4j.engine.daemon.ObjectDaemons;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.Monitor;
import dev.kopf4j.runtime.Schedule;
import java.util.function.Function;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * What is done for each object: its events and its moments, one after another, and what comes of them. Guarded by the
 * reactor's monitor, except where said.
 */
final class SlotWork implements Workforce.Work {
    private final Monitor monitor;
    private final ObjectProcessor processor;
    private final Schedule schedule;
    private final SlotTable table;
    private final GateKeeping gate;
    private final Workforce workforce;
    private final LongConsumer began;
    private boolean stopped;

    /**
     * No work yet.
     *
     * @param workforce makes the workers
     * @param began hears of each event that is processed, with the time since which the object has had events
     */
    SlotWork(
            Monitor monitor,
            ObjectProcessor processor,
            Schedule schedule,
            SlotTable table,
            GateKeeping gate,
            Function<Workforce.Work, Workforce> workforce,
            LongConsumer began) {
        this.monitor = monitor;
        this.processor = processor;
        this.schedule = schedule;
        this.table = table;
        this.gate = gate;
        this.began = began;
        this.workforce = workforce.apply(this);
    }

    Workforce workforce() {
        return workforce;
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
        workforce.dismissWaiting();
        table.all().forEach(this::drop);
    }

    private void drop(ObjectSlot slot) {
        cancelWakeUp(slot);
        table.dropEvents(slot);
        if (!slot.working) {
            slot.dropPending();
            processor.forgetKnown(slot);
        }
    }

    /** Something has come for the slot: it is looked at now, unless it is to be left alone after an error. */
    void begin(ObjectSlot slot) {
        if (!slot.throttled) {
            cancelWakeUp(slot);
            start(slot);
        }
    }

    /** Gives the slot a worker, or a place in a queue. */
    void start(ObjectSlot slot) {
        if (slot.working || stopped) {
            return;
        }
        if (gate.holds(slot)) {
            gate.add(slot);
        } else {
            workforce.assign(slot);
        }
    }

    private static void cancelWakeUp(ObjectSlot slot) {
        if (slot.wakeUp != null) {
            slot.wakeUp.cancel();
            slot.wakeUp = null;
        }
    }

    @Override
    public void serve(ObjectSlot slot) throws InterruptedException {
        Trigger trigger = next(slot);
        while (trigger != null) {
            Next next = processor.process(slot, trigger);
            remember(slot, next);
            rememberDaemons(slot, next);
            monitor.locked(() -> settle(slot, next));
            trigger = next(slot);
        }
    }

    @Override
    public void abandoned(ObjectSlot slot) {
        slot.working = false;
        drop(slot);
    }

    /**
     * What the worker has to look at next; null if the slot has no work, and its worker has to leave it. Without the
     * monitor.
     */
    private @Nullable Trigger next(ObjectSlot slot) {
        Supplier<Trigger> work = monitor.locked(() -> {
            Supplier<Trigger> polled = stopped || slot.throttled ? null : poll(slot);
            slot.working = polled != null;
            if (stopped) {
                drop(slot);
            } else if (polled == null) {
                settleDown(slot);
            }
            return polled;
        });
        if (work == null && monitor.locked(gate::isThrough)) {
            gate.release();
        }
        return work == null ? null : work.get();
    }

    /** Its worker leaves it: everything is done, or has to wait for the gate. */
    private void settleDown(ObjectSlot slot) {
        if (!slot.throttled && slot.hasWork()) {
            gate.add(slot);
        }
        if (slot.waiting() == 0) {
            gate.indexed(slot);
        }
    }

    /** What is to be done; its object is parsed when it is got, outside of the lock. */
    private @Nullable Supplier<Trigger> poll(ObjectSlot slot) {
        if (slot.listedIn > slot.learntIn) {
            processor.forgetKnown(slot);
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
                return () -> new Trigger.Early(event, event.event());
            }
            boolean outdated = slot.isOutdated(event);
            long since = slot.waitingSince;
            return () -> {
                began.accept(since);
                return new Trigger.Event(event.event(), outdated, indexed != null);
            };
        }
        if (slot.wakeRequested) {
            slot.wakeRequested = false;
            Supplier<ObjectNode> body = slot.keptOrLive();
            return body == null ? null : () -> new Trigger.Moment(body.get());
        }
        return null;
    }

    private @Nullable QueuedEvent pollNeeded(ObjectSlot slot) {
        QueuedEvent event;
        do {
            event = table.poll(slot);
        } while (event != null && processor.passesOver(slot, event));
        return event;
    }

    /** The worker's part of the settling, without the monitor: bodies may be large. */
    private static void remember(ObjectSlot slot, Next next) {
        switch (next) {
            case Next.Rest(), Next.Forget() -> slot.forgetKept();
            case Next.Parked _ -> {}
            case Next.Await(ObjectNode body) -> slot.keep(body);
            case Next.WakeUp(Deadline _, ObjectNode body) -> slot.keep(body);
            case Next.Throttled(Deadline _, ObjectNode body) -> slot.keep(body);
        }
    }

    /** The worker's part again: daemons end at moments of their own, and of vanished objects they have to. */
    private void rememberDaemons(ObjectSlot slot, Next next) {
        ObjectDaemons daemons = slot.daemons;
        if (daemons == null) {
            slot.daemonsTell = false;
        } else if (next instanceof Next.Forget) {
            daemons.gone();
            slot.daemons = null;
        } else if (!slot.daemonsTell) {
            slot.daemonsTell = true;
            daemons.tell(() -> wakeNow(slot));
        }
    }

    private void wakeNow(ObjectSlot slot) {
        monitor.locked(() -> {
            slot.wakeRequested = true;
            if (!slot.throttled) {
                start(slot);
            }
        });
    }

    private void settle(ObjectSlot slot, Next next) {
        slot.throttled = false;
        cancelWakeUp(slot);
        if (stopped && !(next instanceof Next.Forget)) {
            return;
        }
        switch (next) {
            case Next.Rest(), Next.Await _ -> {}
            case Next.Parked(var event) -> slot.park(event, !processor.keepsEachEvent());
            case Next.Forget() -> {
                if (slot.waiting() == 0) {
                    table.forget(slot);
                }
            }
            case Next.WakeUp(Deadline at, ObjectNode _) -> {
                slot.wakeUp = schedule.at(at, () -> wake(slot, at));
            }
            case Next.Throttled(Deadline until, ObjectNode _) -> {
                slot.throttled = true;
                slot.wakeUp = schedule.at(until, () -> wake(slot, until));
            }
        }
    }

    private void wake(ObjectSlot slot, Deadline due) {
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
