package dev.kopf4j.e2e.endurance;

import dev.kopf4j.e2e.endurance.cluster.ClusterClient;
import dev.kopf4j.e2e.endurance.cluster.Trials;
import java.io.IOException;
import java.time.Duration;
import java.util.Random;

/** Deletes objects with what they are in: their definition, or a namespace. */
final class ObjectDisturbances {
    private static final Duration STUCK = Duration.ofSeconds(90);

    /** How many at a time; they have even numbers, as the first of two namespaces has. */
    private static final int REPLACED = 10;

    private final Scene scene;
    private final Diary diary;
    private final Random random;
    private final RandomTimes times;
    private final OperatorDisturbances operators;
    /** No value is used twice: those of the load are far below. */
    private long value = 1_000_000_000L;

    ObjectDisturbances(Scene scene, Diary diary, Random random, RandomTimes times, OperatorDisturbances operators) {
        this.scene = scene;
        this.diary = diary;
        this.random = random;
        this.times = times;
        this.operators = operators;
    }

    void deleteDefinition() {
        boolean kill = random.nextBoolean();
        diary.tell("delete the definition" + (kill ? ", and kill an operator" : ""));
        scene.objects().deleteDefinition();
        if (kill) {
            times.pause(0, 500);
            operators.killOnce(operators.some());
        }
        if (scene.objects().definitionGoes(STUCK)) {
            times.pause(0, 2_000);
            scene.objects().define();
            diary.tell("the definition has gone, and is there again");
        } else {
            diary.tell("THE DEFINITION IS STILL THERE after " + STUCK.toSeconds() + " s, with "
                    + scene.histories().beingDeleted() + " objects");
        }
    }

    /**
     * Changes objects, so that their handlers run, and puts others in their places some milliseconds later: without
     * their finalizers, as nobody could take their names before the deletion handlers have ended.
     */
    void replace() {
        int replaced = 0;
        for (int number = 0; number < REPLACED; number++) {
            times.pause(0, 20);
            replaced += replace("trial-" + number * 2) ? 1 : 0;
        }
        diary.tell("replaced " + replaced + " objects by others of their names");
    }

    private boolean replace(String name) {
        String path = Trials.in(Trials.NAMESPACES.getFirst());
        try {
            ClusterClient.Answer changed = scene.client().send("PATCH", path + "/" + name, Trials.change(++value));
            times.pause(0, 60);
            if (!changed.isSuccess() || Trials.isDeleting(changed.body())) {
                return false;
            }
            scene.histories().replaced(changed.body().at("/metadata/uid").asString());
            scene.client().send("PATCH", path + "/" + name, "{\"metadata\":{\"finalizers\":null}}");
            scene.client().send("DELETE", path + "/" + name, null);
            return scene.client()
                    .send("POST", path, Trials.object(name, ++value))
                    .isSuccess();
        } catch (IOException e) {
            diary.tell("not replaced: " + name + ", " + e.getMessage());
            return false;
        }
    }

    void deleteNamespace() {
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
}
