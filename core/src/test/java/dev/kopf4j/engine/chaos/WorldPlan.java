package dev.kopf4j.engine.chaos;

import dev.kopf4j.HandlerKind;
import dev.kopf4j.HandlerLifecycle;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * What a world is like: chosen by its seed before it begins. Immutable.
 *
 * @param handlers the handlers of its operators
 * @param checkpointMillis how long a success may stay unwritten
 * @param statusSubresource whether the status is written apart
 * @param faultPercent how many of a hundred requests fail
 * @param latencyMillisMax how long a request takes on each way at the most
 * @param replaying whether streams begin with old events
 * @param tampering whether somebody removes the operator's annotations
 * @param kills whether operators are killed
 * @param workerLimit how many objects are processed at a time
 * @param pageSize how many objects a page of a list has
 * @param objects how many names of objects there are
 * @param steps how many things happen
 * @param hostile whether there are objects that somebody has made to stop operators
 * @param refusing whether the server refuses the operators' credentials at times
 * @param replacing whether objects that are deleted are often created anew at once, whoever holds them
 */
record WorldPlan(
        List<Kind> handlers,
        HandlerLifecycle lifecycle,
        int checkpointMillis,
        boolean statusSubresource,
        int faultPercent,
        int latencyMillisMax,
        boolean replaying,
        boolean tampering,
        boolean kills,
        int workerLimit,
        int pageSize,
        int objects,
        int steps,
        boolean hostile,
        boolean refusing,
        boolean replacing) {

    /** A handler: its kind and what is peculiar to it. */
    enum Kind {
        CREATE_A(HandlerKind.CREATE),
        CREATE_B(HandlerKind.CREATE),
        CREATE_PARENT(HandlerKind.CREATE),
        UPDATE_A(HandlerKind.UPDATE),
        UPDATE_B(HandlerKind.UPDATE),
        UPDATE_PARENT(HandlerKind.UPDATE),
        FIELD(HandlerKind.FIELD),
        RESUME(HandlerKind.RESUME),
        DELETE_A(HandlerKind.DELETE),
        DELETE_B(HandlerKind.DELETE),
        DELETE_OPTIONAL(HandlerKind.DELETE),
        EVENT(HandlerKind.EVENT),
        DAEMON(HandlerKind.DAEMON),
        TIMER(HandlerKind.TIMER);

        final HandlerKind kind;

        Kind(HandlerKind kind) {
            this.kind = kind;
        }

        /** The id by which it is stored. */
        String id() {
            return name().toLowerCase(java.util.Locale.ROOT) + (this == FIELD ? "/spec.field" : "");
        }

        boolean isMandatoryDeletion() {
            return this == DELETE_A || this == DELETE_B;
        }
    }

    static WorldPlan of(long seed) {
        Random random = new Random(seed);
        random.nextLong();
        List<Kind> kinds = new ArrayList<>();
        int chance = List.of(40, 70, 100).get(random.nextInt(3));
        for (Kind kind : Kind.values()) {
            if (random.nextInt(100) < chance) {
                kinds.add(kind);
            }
        }
        if (kinds.stream().noneMatch(kind -> kind.kind.isOfChange())) {
            kinds.add(Kind.CREATE_A);
        }
        return new WorldPlan(
                kinds,
                List.of(
                                HandlerLifecycle.IN_ORDER,
                                HandlerLifecycle.IN_ORDER,
                                HandlerLifecycle.IN_ORDER,
                                HandlerLifecycle.ASAP,
                                HandlerLifecycle.ALL_AT_ONCE)
                        .get(random.nextInt(5)),
                random.nextBoolean() ? 0 : 50,
                random.nextBoolean(),
                List.of(0, 0, 5, 30).get(random.nextInt(4)),
                List.of(0, 20, 300, 3000).get(random.nextInt(4)),
                random.nextInt(4) == 0,
                random.nextInt(10) == 0,
                random.nextInt(3) > 0,
                List.of(1000, 1000, 1, 2).get(random.nextInt(4)),
                List.of(500, 500, 1, 2).get(random.nextInt(4)),
                1 + random.nextInt(4),
                10 + random.nextInt(50),
                Math.floorMod(seed, 4) == 1,
                Math.floorMod(seed, 8) >= 6,
                random.nextInt(3) == 0);
    }
}
