package dev.kopf4j.devcluster;

import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/**
 * How a dev cluster is to be. Immutable; each method gives a changed copy.
 *
 * @param port the port to listen on, 0 for a free one
 * @param https whether to listen with TLS under a generated certificate
 * @param kubeconfigFile where to write the kubeconfig at the start, if anywhere
 * @param requestLog gets a line for each answered request; from any thread
 * @param clock where times come from
 * @param random where names and uids come from
 * @param windowSize how many changes of each resource are kept for watches
 * @param watchList whether watches may ask for initial events (the WatchList feature, off in v1.33)
 */
public record Options(
        int port,
        boolean https,
        Optional<Path> kubeconfigFile,
        Consumer<String> requestLog,
        InstantSource clock,
        RandomGenerator random,
        int windowSize,
        boolean watchList) {
    /** A free port, plain HTTP, the system's clock. */
    public static Options defaults() {
        return new Options(
                0, false, Optional.empty(), line -> {}, InstantSource.system(), new SecureRandom(), 10_000, false);
    }

    /** Another port; 0 for a free one. */
    public Options port(int newPort) {
        return new Options(newPort, https, kubeconfigFile, requestLog, clock, random, windowSize, watchList);
    }

    /** With TLS or without. */
    public Options https(boolean newHttps) {
        return new Options(port, newHttps, kubeconfigFile, requestLog, clock, random, windowSize, watchList);
    }

    /** Writes the kubeconfig there at the start. */
    public Options kubeconfigFile(Path file) {
        return new Options(port, https, Optional.of(file), requestLog, clock, random, windowSize, watchList);
    }

    /** Tells each answered request. */
    public Options requestLog(Consumer<String> newLog) {
        return new Options(port, https, kubeconfigFile, newLog, clock, random, windowSize, watchList);
    }

    /** Another clock. */
    public Options clock(InstantSource newClock) {
        return new Options(port, https, kubeconfigFile, requestLog, newClock, random, windowSize, watchList);
    }

    /** Another randomness; a seeded one gives the same names and uids again. */
    public Options random(RandomGenerator newRandom) {
        return new Options(port, https, kubeconfigFile, requestLog, clock, newRandom, windowSize, watchList);
    }

    /** Another number of changes to keep. */
    public Options windowSize(int newSize) {
        return new Options(port, https, kubeconfigFile, requestLog, clock, random, newSize, watchList);
    }

    /** Allows watches with initial events. */
    public Options watchList(boolean allowed) {
        return new Options(port, https, kubeconfigFile, requestLog, clock, random, windowSize, allowed);
    }
}
