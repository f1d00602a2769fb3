package dev.kopf4j.benchmarks.josdk;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.javaoperatorsdk.operator.Operator;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/**
 * An operator of the Java Operator SDK that does what the measured operator does. It answers lines as the other
 * measured processes do, and ends with its input.
 */
public final class JosdkProcess {
    private JosdkProcess() {}

    /** Arguments: the kubeconfig, and {@code /status} if the objects have a status subresource. */
    public static void main(String[] arguments) throws IOException {
        KubernetesClient client = new KubernetesClientBuilder()
                .withConfig(Config.fromKubeconfig(new File(arguments[0])))
                .build();
        Operator operator = new Operator(options -> options.withKubernetesClient(client));
        operator.register(new SampleReconciler("/status".equals(arguments[1])));
        operator.start();
        serve();
        operator.stop();
    }

    private static void serve() throws IOException {
        System.out.println("> ready");
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            System.out.println("> " + answer(line));
        }
    }

    private static long answer(String question) {
        return switch (question) {
            case "cpu" ->
                ProcessHandle.current()
                        .info()
                        .totalCpuDuration()
                        .orElse(Duration.ZERO)
                        .toMillis();
            case "allocated" ->
                ((com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean())
                        .getTotalThreadAllocatedBytes();
            default -> throw new IllegalArgumentException(question);
        };
    }
}
