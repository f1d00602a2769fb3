package dev.kopf4j.e2e.endurance;

import dev.kopf4j.e2e.endurance.cluster.Trials;
import java.time.Duration;
import java.util.Random;

/** Deletes objects with what they are in: their definition, or a namespace. */
final class ObjectDisturbances {
    private static final Duration STUCK = Duration.ofSeconds(90);

    private final Scene scene;
    private final Diary diary;
    private final Random random;
    private final RandomTimes times;
    private final OperatorDisturbances operators;

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
