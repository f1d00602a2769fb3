package dev.kopf4j.e2e.endurance;

import dev.kopf4j.e2e.endurance.process.OperatorProcess;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Disturbs one thing after the other; the seed says which, when and for how long. Used by one thread. */
final class Disturber {
    private final EndurancePlan plan;
    private final Scene scene;
    private final Diary diary;
    private final Random random;
    private final RandomTimes times;
    private final OperatorDisturbances operators;
    private final ServerDisturbances server;
    private final ObjectDisturbances objects;
    private int ended;
    private final Map<Disturbance, Integer> done = new EnumMap<>(Disturbance.class);

    Disturber(EndurancePlan plan, Scene scene, Diary diary) {
        this.plan = plan;
        this.scene = scene;
        this.diary = diary;
        this.random = new Random(plan.seed() + 1);
        this.times = new RandomTimes(random, plan.length().seconds());
        this.operators = new OperatorDisturbances(scene, diary, random, times);
        this.server = new ServerDisturbances(scene, diary, times);
        this.objects = new ObjectDisturbances(scene, diary, random, times, operators);
    }

    /** Disturbs until the time is over, or it is enough. */
    void run() {
        List<Disturbance> possible = possible();
        long end = System.nanoTime() + plan.length().time().toNanos();
        List<Disturbance> next = new ArrayList<>();
        for (int round = 0; round < plan.length().rounds() && !possible.isEmpty() && System.nanoTime() < end; round++) {
            if (next.isEmpty()) {
                next.addAll(possible);
                Collections.shuffle(next, random);
            }
            times.pause(500, 5_000);
            restartWhatHasEnded();
            Disturbance now = next.removeLast();
            disturb(now);
            done.merge(now, 1, Integer::sum);
        }
    }

    /** As a cluster does it: an operator ends by itself if nothing works at its start. */
    void restartWhatHasEnded() {
        for (OperatorProcess operator : scene.operators()) {
            if (operator.ensureRunning()) {
                ended++;
                diary.tell(operator.title() + " HAD ENDED BY ITSELF; it is started again");
            }
        }
    }

    /** How often operators have ended by themselves. */
    int ended() {
        return ended;
    }

    /** How often each thing was done. */
    Map<Disturbance, Integer> done() {
        return done;
    }

    private List<Disturbance> possible() {
        List<Disturbance> possible = new ArrayList<>();
        for (Disturbance each : Disturbance.values()) {
            if (plan.only().contains(each)) {
                if (isPossible(each)) {
                    possible.add(each);
                } else {
                    diary.tell("skipped: " + each + ", as no commands are given for this server");
                }
            }
        }
        return possible;
    }

    private boolean isPossible(Disturbance disturbance) {
        return switch (disturbance) {
            case SILENCES -> scene.server().canFreeze();
            case OUTAGES -> scene.server().canDie();
            default -> true;
        };
    }

    private void disturb(Disturbance disturbance) {
        switch (disturbance) {
            case KILLS -> operators.kill();
            case FREEZES -> operators.freeze();
            case SILENCES -> server.silence();
            case OUTAGES -> server.outage();
            case ROTATIONS -> server.rotate();
            case DEFINITIONS -> objects.deleteDefinition();
            case REPLACEMENTS -> objects.replace();
            case NAMESPACES -> objects.deleteNamespace();
            case LEADERS -> operators.freezeLeader();
        }
    }
}
