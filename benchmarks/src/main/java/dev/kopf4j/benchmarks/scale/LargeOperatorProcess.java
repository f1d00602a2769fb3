package dev.kopf4j.benchmarks.scale;

import dev.kopf4j.Operator;
import dev.kopf4j.OperatorBuilder;
import dev.kopf4j.OperatorHandle;
import dev.kopf4j.ResourceSelector;
import dev.kopf4j.benchmarks.memory.HeapSize;
import dev.kopf4j.benchmarks.process.ChildMain;
import dev.kopf4j.benchmarks.process.OperatorProgress;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.Map;

/** An operator with a handler of creations, or with one of everything's events. */
public final class LargeOperatorProcess {
    private static final int QUESTION_MILLIS = 30_000;
    private static final int LOOK_MILLIS = 20;

    private LargeOperatorProcess() {}

    /**
     * Arguments: the kubeconfig; {@code create} or {@code everything}. Answers {@code done N} with the milliseconds
     * since its start when it has processed N events and has nothing to do, or with an empty line after half a minute;
     * {@code heap}, {@code events} and {@code requests} with these.
     */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        OperatorProgress progress = new OperatorProgress();
        OperatorBuilder builder = Operator.builder()
                .clusterwide()
                .kubeconfig(Path.of(arguments[0]))
                .metricsListener(progress);
        if (arguments[1].equals("create")) {
            builder.onCreate("samples.bench.kopf4j.dev", "make", context -> Map.of("made", context.name()));
        } else {
            builder.onEvent(ResourceSelector.everything(), "look", context -> null);
        }
        try (OperatorHandle _ = builder.build().start()) {
            ChildMain.serve("started", question -> answer(question, progress));
        }
    }

    private static String answer(String question, OperatorProgress progress) throws InterruptedException {
        return switch (question) {
            case "heap" -> Long.toString(HeapSize.used());
            case "events" -> Long.toString(progress.events());
            case "requests" -> progress.requests();
            default -> done(progress, Long.parseLong(question.substring("done ".length())));
        };
    }

    /** Looks at the state not before so many events have come: that costs time for each object. */
    private static String done(OperatorProgress progress, long events) throws InterruptedException {
        for (int i = 0; i < QUESTION_MILLIS / LOOK_MILLIS; i++) {
            if (progress.events() >= events && progress.isDone()) {
                return Long.toString(System.currentTimeMillis()
                        - ManagementFactory.getRuntimeMXBean().getStartTime());
            }
            Thread.sleep(LOOK_MILLIS);
        }
        return "";
    }
}
