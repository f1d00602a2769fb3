package dev.kopf4j.testing.environment;

import dev.kopf4j.Operator;
import dev.kopf4j.OperatorBuilder;
import dev.kopf4j.runtime.Platform;
import dev.kopf4j.testing.TestClock;
import dev.kopf4j.testing.TestCluster;
import dev.kopf4j.testing.recording.Recording;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** What an operator under test runs on. */
public interface TestEnvironment extends AutoCloseable {
    /** The machine of the test. */
    Platform platform();

    /** What is recorded here. */
    Recording recording();

    /** The cluster. */
    TestCluster cluster();

    /** The client of the test: that of an administrator. */
    KubernetesClient client();

    /** The clock, in virtual time. */
    Optional<TestClock> clock();

    /** How long waits may take if the test does not say. */
    Duration patience();

    /** Makes an operator for this cluster. */
    Operator assemble(OperatorBuilder builder);

    /**
     * Ends the operators as SIGKILL does.
     *
     * @throws UnsupportedOperationException if that is not possible
     */
    void kill();

    /** The test waits for the operator. */
    default void waits() {}

    /** What the test has done that shows nothing, or loses errors, in words; empty if all is well. */
    default List<String> misuse() {
        return List.of();
    }

    /**
     * Does nothing where requests are recorded, with their answers.
     *
     * @throws UnsupportedOperationException elsewhere
     */
    default void requireRecordedRequests() {}

    /** The kinds that the cluster serves, where requests are recorded; none elsewhere. */
    default Set<String> kinds() {
        return Set.of();
    }

    /**
     * The test is over, and its operator still runs: lets it do what nobody does afterwards.
     *
     * @param timeout how long that may take
     */
    default void release(Duration timeout) {}

    /** Ends the cluster. */
    @Override
    void close();
}
