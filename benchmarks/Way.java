import com.sun.jdi.Bootstrap;
import com.sun.jdi.VirtualMachine;
import com.sun.jdi.event.Event;
import com.sun.jdi.event.EventSet;
import com.sun.jdi.event.MethodEntryEvent;
import com.sun.jdi.event.VMDisconnectEvent;
import com.sun.jdi.request.EventRequest;
import com.sun.jdi.request.MethodEntryRequest;
import dev.kopf4j.Operator;
import dev.kopf4j.OperatorHandle;
import dev.kopf4j.benchmarks.load.SampleObjects;
import dev.kopf4j.devcluster.DevCluster;
import dev.kopf4j.devcluster.Options;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Lists the classes of {@code core} of which code runs while an operator handles one created object: from the bytes of
 * the watch to the PATCH, and the event that follows. An operator with one handler, and a dev cluster, run in a process
 * of their own, which tells each method that it enters, as a debugger asks it to. The first object warms up, the second
 * one is watched. Nested classes belong to the file they are in.
 *
 * <p>{@code java -cp CLASSES benchmarks/Way.java ROOT}, or {@code benchmarks/run way}, which knows the classes.
 */
class Way {
    public static void main(String[] args) throws Exception {
        if (args[0].equals("operator")) {
            Watched.run();
            return;
        }
        Path root = Path.of(args[0]);
        Map<String, Set<String>> packages = new TreeMap<>();
        for (String name : entered(root)) {
            if (Files.exists(root.resolve("core/src/main/java/" + name.replace('.', '/') + ".java"))) {
                int dot = name.lastIndexOf('.');
                packages.computeIfAbsent(name.substring(0, dot), key -> new TreeSet<>())
                        .add(name.substring(dot + 1));
            }
        }
        int all = 0;
        int engine = 0;
        for (Map.Entry<String, Set<String>> one : packages.entrySet()) {
            int size = one.getValue().size();
            System.out.printf("%-38s %3d  %s%n", one.getKey(), size, String.join(", ", one.getValue()));
            all += size;
            engine += one.getKey().startsWith("dev.kopf4j.engine.") ? size : 0;
        }
        System.out.printf("%d classes in %d packages; %d of them in the engine%n", all, packages.size(), engine);
    }

    private static Set<String> entered(Path root) throws Exception {
        var connector = Bootstrap.virtualMachineManager().defaultConnector();
        var arguments = connector.defaultArguments();
        arguments.get("main").setValue(root.resolve("benchmarks/Way.java") + " operator");
        arguments.get("options").setValue("-cp " + System.getProperty("java.class.path"));
        VirtualMachine machine = connector.launch(arguments);
        Thread.startVirtualThread(() -> machine.process().errorReader().lines().forEach(System.err::println));
        Thread.startVirtualThread(() -> machine.process().inputReader().lines().forEach(System.err::println));
        MethodEntryRequest marks = request(machine, "Way$Watched", EventRequest.SUSPEND_ALL);
        MethodEntryRequest methods = request(machine, "dev.kopf4j.*", EventRequest.SUSPEND_NONE);
        methods.addClassExclusionFilter("dev.kopf4j.devcluster.*");
        marks.enable();
        Set<String> entered = new TreeSet<>();
        while (true) {
            EventSet events = machine.eventQueue().remove();
            for (Event event : events) {
                if (event instanceof VMDisconnectEvent) {
                    int code = machine.process().waitFor();
                    if (code != 0) {
                        throw new IllegalStateException("the operator has failed with exit code " + code);
                    }
                    return entered;
                } else if (event instanceof MethodEntryEvent entry && event.request() == methods) {
                    entered.add(entry.location().declaringType().name().replaceFirst("\\$.*", ""));
                } else if (event instanceof MethodEntryEvent entry) {
                    switch (entry.method().name()) {
                        case "begin" -> methods.enable();
                        case "end" -> methods.disable();
                        default -> {}
                    }
                }
            }
            events.resume();
        }
    }

    private static MethodEntryRequest request(VirtualMachine machine, String classes, int suspends) {
        MethodEntryRequest request = machine.eventRequestManager().createMethodEntryRequest();
        request.addClassFilter(classes);
        request.setSuspendPolicy(suspends);
        return request;
    }

    /** The process that is watched. */
    static final class Watched {
        private static final Duration UNTIL_IT_RESTS = Duration.ofSeconds(3);

        static void run() throws IOException, InterruptedException {
            Path kubeconfig = Files.createTempFile("way", ".yaml");
            CountDownLatch handled = new CountDownLatch(1);
            try (DevCluster cluster = DevCluster.start(Options.defaults())) {
                cluster.apply(SampleObjects.DEFINITIONS);
                cluster.writeKubeconfig(kubeconfig);
                var builder = Operator.builder()
                        .clusterwide()
                        .kubeconfig(kubeconfig)
                        .onCreate("samples.bench.kopf4j.dev", "make", context -> {
                            if (context.name().equals("watched")) {
                                handled.countDown();
                            }
                            return Map.of("made", context.name());
                        });
                try (OperatorHandle operator = builder.build().start()) {
                    operator.awaitReady(Duration.ofSeconds(30));
                    create(cluster, "first");
                    rest();
                    begin();
                    create(cluster, "watched");
                    handled.await(30, TimeUnit.SECONDS);
                    rest();
                    end();
                }
            } finally {
                Files.delete(kubeconfig);
            }
            System.exit(0);
        }

        private static void create(DevCluster cluster, String name) {
            cluster.apply("{apiVersion: bench.kopf4j.dev/v1, kind: Sample, metadata: {name: " + name
                    + ", namespace: default}, spec: {size: small}}");
        }

        /** The process has nothing that says when all is done that an event leads to. */
        private static void rest() throws InterruptedException {
            Thread.sleep(UNTIL_IT_RESTS);
        }

        static void begin() {}

        static void end() {}
    }
}
