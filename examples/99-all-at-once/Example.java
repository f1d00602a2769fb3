import dev.kopf4j.*;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;

/** Many features at once, as they meet in large operators: for those who try something out, or look for a mistake. */
class Example {
    @OnStartup
    void startUpSimply(Logger logger) {
        logger.info("Starting ...");
    }

    @OnStartup
    void startUpAtLast(int retry, Logger logger) {
        if (retry < 3) {
            throw new TemporaryException("Going to succeed after " + (3 - retry) + " more attempts.", Duration.ofMillis(100));
        }
        logger.info("Started at attempt {}.", retry + 1);
    }

    @OnCleanup
    void cleanUp(Logger logger) {
        logger.info("Cleaning up.");
    }

    @OnProbe
    int specialPods(Index<Void, String> podNames) {
        return podNames.store().size();
    }

    @OnCreate("kopfexamples")
    Map<String, Integer> create1(Body body) {
        Kopf.info(body, "AnyReason", "Something has begun.");
        Kopf.event(body, "Warning", "SomeReason", "Cannot do something.");
        return Map.of("job1-status", 100);
    }

    @OnCreate(value = "kopfexamples", backoff = "1s")
    Map<String, Integer> create2(int retry) {
        if (retry == 0) {
            throw new IllegalStateException("Whoops!"); // it is called again, even if the operator is restarted meanwhile
        }
        return Map.of("job2-status", 100);
    }

    @OnCreate("kopfexamples")
    void createPod(String name, KubernetesClient client) {
        Pod pod = new PodBuilder()
                .withNewMetadata()
                .withName(name + "-pod")
                .endMetadata()
                .withNewSpec()
                .addNewContainer()
                .withName("the-only-one")
                .withImage("busybox")
                .withCommand("sh", "-x", "-c", "sleep 1")
                .endContainer()
                .endSpec()
                .build();
        Kopf.adopt(pod);
        Kopf.label(pod, Map.of("application", "kopf-example-99"));
        Kopf.event(List.of(client.resource(pod).serverSideApply()), "Normal", "SomeReason", "Created for its owner.");
    }

    @OnCreate("kopfexamples")
    void createItems(Spec spec, SubHandlers subHandlers) {
        spec.getList("items").forEach(item -> subHandlers.add("" + item, ctx -> "made"));
    }

    @OnUpdate("kopfexamples")
    void update(Diff diff, Logger logger) {
        logger.info("Handling the diff {}.", diff);
    }

    @OnField(value = "kopfexamples", field = "spec.items")
    void updateItems(Object oldValue, Object newValue, Logger logger) {
        logger.info("Handling the field {} -> {}.", oldValue, newValue);
    }

    @OnResume("kopfexamples")
    void resume(Logger logger) {
        logger.info("It is there still.");
    }

    @OnDelete("kopfexamples")
    void delete(Logger logger) {
        logger.info("It goes.");
    }

    @OnEvent(value = "pods", labels = "application=kopf-example-99")
    void podChanged(Logger logger) {
        logger.info("This pod is special for us.");
    }

    @OnIndex(value = "pods", labels = "application=kopf-example-99")
    String podNames(String name) {
        return name;
    }

    @OnTimer(value = "kopfexamples", interval = "10s", idle = "5s")
    void look(Index<Void, String> podNames, Patch patch) {
        patch.status().set("pods", List.copyOf(podNames.store()));
    }

    @OnDaemon("kopfexamples")
    void accompany(Stopped stopped, Memo memo) throws InterruptedException {
        while (!stopped.await(Duration.ofMinutes(1))) {
            memo.update("minutes", 0, n -> n + 1);
        }
    }
}
