import dev.kopf4j.*;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.GenericKubernetesResourceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/** An application with an operator in it. */
class Example {
    @OnCreate("kopfexamples")
    String createFn(Memo memo, String name) {
        String greeting = memo.get("hello", String.class).orElse("%s is there.").formatted(name);
        System.out.println(greeting);
        return greeting;
    }

    @OnDelete("kopfexamples")
    void deleteFn(Memo memo, String name) {
        System.out.println(memo.get("bye", String.class).orElse("%s goes.").formatted(name));
    }

    public static void main(String[] arguments) throws InterruptedException {
        try (KubernetesClient client = new KubernetesClientBuilder().build()) {
            run(Operator.builder(), client, 3);
        }
    }

    static void run(OperatorBuilder builder, KubernetesClient client, int steps) throws InterruptedException {
        System.out.println("Starting the main app.");
        Memo memo = new Memo(); // what the application tells the handlers; each object gets a copy
        memo.put("hello", "Hello, %s!");
        memo.put("bye", "Good bye, %s!");
        Operator operator =
                builder.clusterwide().handlers(Example.class).memo(memo).build();
        try (OperatorHandle running = operator.start()) { // in threads of its own
            if (!running.awaitReady(Duration.ofMinutes(1))) {
                throw new IllegalStateException("the operator was not ready in time");
            }
            for (int step = 1; step <= steps; step++) {
                System.out.println("Do the main app activity here. Step " + step + "/" + steps + ".");
                createAndDelete(client, "kopf-example-" + step);
            }
            System.out.println("Exiting the main app.");
        } // close() stops it gracefully, and waits for its end
    }

    /** The application: it could be anything. */
    private static void createAndDelete(KubernetesClient client, String name) {
        var object = client.resource(new GenericKubernetesResourceBuilder()
                .withApiVersion("kopf.dev/v1")
                .withKind("KopfExample")
                .withNewMetadata()
                .withNamespace("default")
                .withName(name)
                .endMetadata()
                .build());
        object.serverSideApply();
        object.waitUntilCondition(Example::isGreeted, 10, TimeUnit.SECONDS);
        object.delete();
        object.waitUntilCondition(Objects::isNull, 10, TimeUnit.SECONDS);
    }

    private static boolean isGreeted(GenericKubernetesResource object) {
        return object != null && object.get("status", "createFn") != null;
    }
}
