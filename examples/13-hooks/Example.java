import dev.kopf4j.*;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.slf4j.Logger;

/** What an operator does as a whole: it starts, logs in, answers to probes, and ends. */
class Example {
    /** A task of the operator's own, for a pod. */
    record PodTask(String namespace, String name, CountDownLatch stop, Thread thread) {}

    private final Map<String, PodTask> tasks = new ConcurrentHashMap<>();

    @OnStartup
    void configure(OperatorSettings settings, Logger logger) {
        settings.posting().enabled(false);
        logger.info("STARTING: settings can be changed now, and later no more");
    }

    @OnStartup
    void connect(int retry, Logger logger) {
        if (retry < 3) {
            throw new TemporaryException(
                    "It will be there in " + (3 - retry) + " attempts.", Duration.ofMillis(100));
        }
        logger.info("STARTING at attempt {}: nothing is watched before", retry + 1);
    }

    /** As without this method, but for the order, the pod's account first, and for the end, after 30 seconds. */
    @OnLogin(errors = ErrorsMode.PERMANENT)
    Optional<ConnectionInfo> login(Logins logins, Instant started, Logger logger) throws InterruptedException {
        logger.info("LOGGING IN, for the next 30 seconds");
        Optional<ConnectionInfo> inPod = logins.serviceAccount();
        Optional<ConnectionInfo> found = inPod.isPresent() ? inPod : logins.kubeconfig();
        return found.map(
                info -> info.toBuilder().expiration(started.plusSeconds(30)).build());
    }

    @OnProbe
    int tasksCount() {
        return tasks.size();
    }

    @OnProbe
    Map<String, List<String>> servedPods() {
        return tasks.values().stream()
                .sorted(Comparator.comparing(PodTask::name))
                .collect(Collectors.groupingBy(
                        PodTask::namespace, Collectors.mapping(PodTask::name, Collectors.toList())));
    }

    @OnEvent("pods")
    void podTask(String uid, String namespace, String name, Logger logger) {
        tasks.computeIfAbsent(uid, any -> {
            CountDownLatch stop = new CountDownLatch(1);
            Thread thread = Thread.ofVirtual().name(name).start(() -> serve(stop, logger));
            return new PodTask(namespace, name, stop, thread);
        });
    }

    private static void serve(CountDownLatch stop, Logger logger) {
        try {
            while (!stop.await(5, TimeUnit.SECONDS)) {
                logger.info("Served by the background task.");
            }
            logger.info("Serving is finished by request.");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @OnCleanup
    void cleanUp(Logger logger) throws InterruptedException {
        Collection<PodTask> running = tasks.values();
        running.forEach(task -> task.stop().countDown());
        for (PodTask task : running) {
            task.thread().join();
        }
        logger.info("ENDING: all else has stopped, and {} tasks have ended", running.size());
    }
}
