import dev.kopf4j.*;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import org.slf4j.Logger;

/** Lets no pod live for longer than 30 seconds, for no good reason; those of the system are spared. */
class Example {
    private static final Duration LIFETIME = Duration.ofSeconds(30);

    @OnCreate(value = "pods", when = "isDoomed")
    @OnResume(value = "pods", when = "isDoomed")
    void podInSight(Logger logger) {
        logger.info("=== Pod killing happens in {}s.", LIFETIME.toSeconds());
    }

    @OnDaemon(value = "pods", when = "isDoomed") // one for each pod, from its creation, or the start of the operator
    void podKiller(Stopped stopped, String namespace, String name, KubernetesClient client, Logger logger)
            throws InterruptedException {
        if (stopped.await(LIFETIME)) {
            logger.info("=== Pod killing is cancelled!");
        } else {
            logger.info("=== Pod killing happens NOW!");
            client.pods().inNamespace(namespace).withName(name).delete();
        }
    }

    @OnDelete(value = "pods", when = "isDoomed")
    void podDeleted(Logger logger) {
        logger.info("=== The pod goes.");
    }

    boolean isDoomed(String namespace) {
        return !namespace.startsWith("kube-");
    }
}
