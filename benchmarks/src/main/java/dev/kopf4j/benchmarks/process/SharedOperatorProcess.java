package dev.kopf4j.benchmarks.process;

import dev.kopf4j.Operator;
import dev.kopf4j.OperatorBuilder;
import dev.kopf4j.OperatorHandle;
import dev.kopf4j.runtime.SystemPlatform;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/** A replica whose handler of creations takes a fixed time, one call at a time. */
public final class SharedOperatorProcess {
    private SharedOperatorProcess() {}

    /**
     * Arguments: the kubeconfig, the number of shards (0: none), the milliseconds of a call. Prints the first line when
     * the operator is ready; answers each line with the number of its calls.
     */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        int shards = Integer.parseInt(arguments[1]);
        Duration call = Duration.ofMillis(Long.parseLong(arguments[2]));
        SystemPlatform platform = new SystemPlatform();
        AtomicInteger calls = new AtomicInteger();
        OperatorBuilder builder = Operator.builder()
                .clusterwide()
                .kubeconfig(Path.of(arguments[0]))
                .settings(settings -> {
                    settings.execution().maxWorkers(1);
                    if (shards > 0) {
                        settings.sharding().shards(shards);
                    }
                })
                .onCreate("samples.bench.kopf4j.dev", "make", context -> {
                    platform.sleep(call);
                    calls.incrementAndGet();
                    return null;
                });
        try (OperatorHandle handle = builder.build().start()) {
            if (shards == 0) {
                ChildMain.awaitReady(handle);
            }
            ChildMain.serve("ready", _ -> String.valueOf(calls.get()));
        }
    }
}
