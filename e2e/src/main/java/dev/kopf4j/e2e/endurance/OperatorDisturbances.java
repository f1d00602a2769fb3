package dev.kopf4j.e2e.endurance;

import dev.kopf4j.e2e.endurance.process.OperatorProcess;
import java.io.IOException;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;

/** Kills operators, and lets them stand still. */
final class OperatorDisturbances {
    private static final String LEASE = "/apis/coordination.k8s.io/v1/namespaces/endurance-a/leases/kopf4j-endurance";

    private final Scene scene;
    private final Diary diary;
    private final Random random;
    private final RandomTimes times;

    OperatorDisturbances(Scene scene, Diary diary, Random random, RandomTimes times) {
        this.scene = scene;
        this.diary = diary;
        this.random = random;
        this.times = times;
    }

    /** Kills one, and sometimes again while it starts. */
    void kill() {
        OperatorProcess operator = some();
        killOnce(operator);
        if (random.nextInt(3) == 0) {
            times.pause(200, 3_000);
            killOnce(operator);
        }
    }

    /** Kills it, and starts it a little later. */
    void killOnce(OperatorProcess operator) {
        Duration pause = times.time(0, 2_000);
        diary.tell("kill " + operator.title() + ", start it after " + pause.toMillis() + " ms");
        operator.process().kill();
        LockSupport.parkNanos(pause.toNanos());
        operator.ensureRunning();
    }

    /** Lets one stand still for a while. */
    void freeze() {
        freeze(some(), times.length(500, 9_000));
    }

    private void freeze(OperatorProcess operator, Duration time) {
        diary.tell("freeze " + operator.title() + " for " + time.toMillis() + " ms");
        operator.process().freeze();
        LockSupport.parkNanos(time.toNanos());
        operator.process().thaw();
    }

    /** Lets the one with the lease stand still until another one has it. */
    void freezeLeader() {
        String holder = holder();
        for (OperatorProcess operator : scene.operators()) {
            if (holder.startsWith(operator.title())) {
                freeze(operator, times.length(6_000, 9_000));
                diary.tell("the lease went from " + holder + " to " + holder());
                return;
            }
        }
        diary.tell("nobody of us leads, but '" + holder + "'");
    }

    private String holder() {
        try {
            return scene.client()
                    .send("GET", LEASE, null)
                    .body()
                    .at("/spec/holderIdentity")
                    .asString("");
        } catch (IOException e) {
            return "(" + e.getMessage() + ")";
        }
    }

    /** Any of them. */
    OperatorProcess some() {
        return scene.operators().get(random.nextInt(scene.operators().size()));
    }
}
