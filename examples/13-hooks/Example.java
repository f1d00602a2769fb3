import dev.kopf4j.*;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.slf4j.Logger;

class Example {
    private Instant started = Instant.EPOCH;

    @OnStartup
    void configure(OperatorSettings settings, Instant started, Logger logger) {
        this.started = started;
        settings.posting().enabled(false);
        logger.info("STARTING: settings can be changed now, and later no more");
    }

    /** What is done without this method, but for the order: the pod's account first, else the kubeconfig. */
    @OnLogin(retries = 3)
    Optional<ConnectionInfo> login(Logins logins) throws InterruptedException {
        Optional<ConnectionInfo> inPod = logins.serviceAccount();
        return inPod.isPresent() ? inPod : logins.kubeconfig();
    }

    @OnProbe
    String uptime() {
        return Duration.between(started, Instant.now()).toSeconds() + " s";
    }

    @OnCreate("kopfexamples")
    void createFn(String name, Logger logger) {
        logger.info("CREATED {}", name);
    }

    @OnCleanup
    void finish(Logger logger) {
        logger.info("ENDING: all else has stopped");
    }
}
