package dev.kopf4j.e2e.endurance;

import dev.kopf4j.e2e.endurance.cluster.Trials;
import dev.kopf4j.e2e.endurance.process.OperatorProcess;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;

/** Disturbs one thing after the other; the seed says which, when and for how long. */
final class Disturber {
    private static final Duration STUCK = Duration.ofSeconds(90);
    private static final String LEASE = "/apis/coordination.k8s.io/v1/namespaces/endurance-a/leases/kopf4j-endurance";

    private final EndurancePlan plan;
    private final Scene scene;
    private final Diary diary;
    private final Random random;
    private int ended;
    private final Map<Disturbance, Integer> done = new EnumMap<>(Disturbance.class);

    Disturber(EndurancePlan plan, Scene scene, Diary diary) {
        this.plan = plan;
        this.scene = scene;
        this.diary = diary;
        this.random = new Random(plan.seed() + 1);
    }

    /** Disturbs until the time is over, or it is enough. */
    void run() {
        List<Disturbance> possible = possible();
        long end = System.nanoTime() + plan.time().toNanos();
        List<Disturbance> next = new ArrayList<>();
        for (int round = 0; round < plan.rounds() && !possible.isEmpty() && System.nanoTime() < end; round++) {
            if (next.isEmpty()) {
                next.addAll(possible);
                Collections.shuffle(next, random);
            }
            pause(500, 5_000);
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
            case KILLS -> kill();
            case FREEZES -> freeze(someOperator(), length(500, 9_000));
            case SILENCES -> silence();
            case OUTAGES -> outage();
            case ROTATIONS -> rotate();
            case DEFINITIONS -> deleteDefinition();
            case NAMESPACES -> deleteNamespace();
            case LEADERS -> freezeLeader();
        }
    }

    private void kill() {
        OperatorProcess operator = someOperator();
        killOnce(operator);
        if (random.nextInt(3) == 0) {
            pause(200, 3_000);
            killOnce(operator);
        }
    }

    private void killOnce(OperatorProcess operator) {
        Duration pause = time(0, 2_000);
        diary.tell("kill " + operator.title() + ", start it after " + pause.toMillis() + " ms");
        operator.process().kill();
        LockSupport.parkNanos(pause.toNanos());
        operator.ensureRunning();
    }

    private void freeze(OperatorProcess operator, Duration time) {
        diary.tell("freeze " + operator.title() + " for " + time.toMillis() + " ms");
        operator.process().freeze();
        LockSupport.parkNanos(time.toNanos());
        operator.process().thaw();
    }

    private void silence() {
        Duration time = length(500, 15_000);
        diary.tell("silence the server for " + time.toMillis() + " ms");
        scene.server().freeze();
        LockSupport.parkNanos(time.toNanos());
        scene.server().thaw();
    }

    private void outage() {
        Duration time = length(0, 12_000);
        diary.tell("kill the server, start it after " + time.toMillis() + " ms");
        scene.server().kill();
        LockSupport.parkNanos(time.toNanos());
        scene.server().start();
    }

    private void rotate() {
        long runs = scene.credentials().pluginRuns();
        Duration time = length(0, 4_000);
        scene.objects().replaceAccount();
        LockSupport.parkNanos(time.toNanos());
        scene.credentials().replace(scene.objects().token());
        pause(2_000, 4_000);
        diary.tell("the credentials were refused, and replaced " + time.toMillis()
                + " ms later; since then the plugin was run "
                + (scene.credentials().pluginRuns() - runs) + " times");
    }

    private void deleteDefinition() {
        boolean kill = random.nextBoolean();
        diary.tell("delete the definition" + (kill ? ", and kill an operator" : ""));
        scene.objects().deleteDefinition();
        if (kill) {
            pause(0, 500);
            killOnce(someOperator());
        }
        if (scene.objects().definitionGoes(STUCK)) {
            pause(0, 2_000);
            scene.objects().define();
            diary.tell("the definition has gone, and is there again");
        } else {
            diary.tell("THE DEFINITION IS STILL THERE after " + STUCK.toSeconds() + " s, with "
                    + scene.histories().beingDeleted() + " objects");
        }
    }

    private void deleteNamespace() {
        String name = Trials.NAMESPACES.getLast();
        diary.tell("delete the namespace " + name);
        scene.objects().deleteNamespace(name);
        if (scene.objects().namespaceGoes(name, STUCK)) {
            scene.objects().createNamespace(name);
            diary.tell("the namespace has gone, and is there again");
        } else {
            diary.tell("THE NAMESPACE IS STILL THERE after " + STUCK.toSeconds() + " s");
        }
    }

    private void freezeLeader() {
        String holder = holder();
        for (OperatorProcess operator : scene.operators()) {
            if (holder.startsWith(operator.title())) {
                freeze(operator, length(6_000, 9_000));
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

    private OperatorProcess someOperator() {
        return scene.operators().get(random.nextInt(scene.operators().size()));
    }

    private Duration length(int leastMillis, int mostMillis) {
        Duration drawn = time(leastMillis, mostMillis);
        return plan.seconds().isPresent() ? Duration.ofSeconds(plan.seconds().getAsInt()) : drawn;
    }

    private void pause(int leastMillis, int mostMillis) {
        LockSupport.parkNanos(time(leastMillis, mostMillis).toNanos());
    }

    private Duration time(int leastMillis, int mostMillis) {
        return Duration.ofMillis(random.nextInt(leastMillis, mostMillis + 1));
    }
}
