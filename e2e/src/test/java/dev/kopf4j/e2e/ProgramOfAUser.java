package dev.kopf4j.e2e;

import dev.kopf4j.Operator;
import dev.kopf4j.rbac.DeclaredRule;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** A program with an operator, run in a JVM of its own. Arguments: a kubeconfig, and how to run it. */
final class ProgramOfAUser {
    private ProgramOfAUser() {}

    public static void main(String[] arguments) throws InterruptedException {
        var builder = Operator.builder()
                .kubeconfig(Path.of(arguments[0]))
                .clusterwide()
                .policyRule(DeclaredRule.of(List.of("pods"), "list"))
                .onCreate("configmaps", "make", context -> null)
                .onCleanup("bye", options -> options.timeout(Duration.ofSeconds(10)), context -> {
                    System.out.println("cleaned up");
                    return null;
                })
                .whenReady(() -> System.out.println("ready"));
        switch (arguments[1]) {
            case "run" -> builder.build().run();
            case "start with signals" -> {
                try (var handle = builder.stopOnSignals(true).build().start()) {
                    handle.join();
                }
            }
            case "run without signals" -> builder.stopOnSignals(false).build().run();
            case "hang" ->
                builder.onCleanup("hang", context -> {
                            new CountDownLatch(1).await();
                            return null;
                        })
                        .build()
                        .run();
            default -> throw new IllegalArgumentException(arguments[1]);
        }
        System.out.println("after the operator");
    }
}
