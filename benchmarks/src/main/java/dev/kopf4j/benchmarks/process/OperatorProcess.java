package dev.kopf4j.benchmarks.process;

import dev.kopf4j.HandlerLifecycle;
import dev.kopf4j.Operator;
import dev.kopf4j.OperatorBuilder;
import dev.kopf4j.OperatorHandle;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;

/** The framework with quick handlers of creations, each of which has a result. */
public final class OperatorProcess {
    private OperatorProcess() {}

    /**
     * Arguments: the kubeconfig, the number of handlers, the lifecycle, and {@code silent} for no recorder. Prints the
     * first line when the operator is ready.
     */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        OperatorBuilder builder = Operator.builder()
                .clusterwide()
                .kubeconfig(Path.of(arguments[0]))
                .settings(settings -> settings.execution().lifecycle(HandlerLifecycle.BuiltIn.valueOf(arguments[2])));
        if (arguments.length > 3 && arguments[3].equals("silent")) {
            builder.settings(settings -> settings.recorder().memory(0));
        }
        for (int i = 1; i <= Integer.parseInt(arguments[1]); i++) {
            String id = "make" + i;
            builder.onCreate(
                    "samples.bench.kopf4j.dev",
                    id,
                    context -> Map.of(
                            "made", context.name(), "size", context.spec().getString("size", "")));
        }
        try (OperatorHandle handle = builder.build().start()) {
            ChildMain.awaitReady(handle);
            ChildMain.serve("ready", question -> "unknown: " + question);
        }
    }
}
