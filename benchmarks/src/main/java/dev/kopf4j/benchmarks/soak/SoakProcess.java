package dev.kopf4j.benchmarks.soak;

import dev.kopf4j.OperatorHandle;
import dev.kopf4j.benchmarks.process.ChildMain;
import dev.kopf4j.benchmarks.process.OperatorProgress;
import java.io.IOException;
import java.nio.file.Path;

/** The operator of a soak in real time. */
public final class SoakProcess {
    private static final int LOOK_MILLIS = 50;
    private static final int LOOKS = 600;

    private SoakProcess() {}

    /** Argument: the kubeconfig. Answers {@code events} with their number, others with a sample, when all is done. */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        OperatorProgress progress = new OperatorProgress();
        try (OperatorHandle handle = SoakOperator.builder(progress)
                .kubeconfig(Path.of(arguments[0]))
                .build()
                .start()) {
            ChildMain.awaitReady(handle);
            ChildMain.serve("ready", question -> {
                if (question.equals("events")) {
                    return Long.toString(progress.events());
                }
                for (int i = 0; i < LOOKS && !progress.isDone(); i++) {
                    Thread.sleep(LOOK_MILLIS);
                }
                return SoakSample.here().toLine();
            });
        }
    }
}
