package dev.kopf4j.devcluster.launcher;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Which dev cluster is started, and how. Immutable; each setter returns a changed copy.
 *
 * <p>What is started is, in this order: what {@link #program} names; what the system property {@code kopf4j.devcluster}
 * names; what the environment variable {@code KOPF4J_DEVCLUSTER} names; {@code kopf4j-devcluster} or {@code kopf4j} on
 * the {@code PATH}. It may be the folder of an unpacked archive or distribution, a program, or a jar, which is run by a
 * JDK 25 or later that is looked for.
 *
 * <p>Nothing is started if the system property {@code kopf4j.devcluster.kubeconfig} or the environment variable
 * {@code KOPF4J_RUNNING_DEVCLUSTER} names the kubeconfig of a cluster that runs: that one is used, with the options
 * that it was started with.
 */
public final class LaunchOptions {
    private static final LaunchOptions DEFAULTS = new LaunchOptions(null, List.of(), Duration.ofSeconds(60));

    private final @Nullable Path program;
    private final List<String> arguments;
    private final Duration timeout;

    private LaunchOptions(@Nullable Path program, List<String> arguments, Duration timeout) {
        this.program = program;
        this.arguments = List.copyOf(arguments);
        this.timeout = timeout;
    }

    /** What is found, without arguments, within 60 s. */
    public static LaunchOptions defaults() {
        return DEFAULTS;
    }

    /** The folder, program or jar to start; empty if it is looked for. */
    public Optional<Path> program() {
        return Optional.ofNullable(program);
    }

    /** Starts this: the folder of an unpacked archive or distribution, a program, or a jar. */
    public LaunchOptions program(Path given) {
        return new LaunchOptions(given, arguments, timeout);
    }

    /** Options of {@code kopf4j devcluster}; none by default. */
    public List<String> arguments() {
        return arguments;
    }

    /** Sets options of {@code kopf4j devcluster}, such as {@code "--workloads", "--rbac"}. */
    public LaunchOptions arguments(String... given) {
        return new LaunchOptions(program, List.of(given), timeout);
    }

    /** How long the start may take; 60 s by default. */
    public Duration timeout() {
        return timeout;
    }

    /** Sets how long the start may take. */
    public LaunchOptions timeout(Duration given) {
        return new LaunchOptions(program, arguments, given);
    }
}
