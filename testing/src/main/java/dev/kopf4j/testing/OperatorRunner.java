package dev.kopf4j.testing;

import dev.kopf4j.ConnectionInfo;
import dev.kopf4j.Operator;
import dev.kopf4j.OperatorBuilder;
import dev.kopf4j.OperatorException;
import dev.kopf4j.OperatorHandle;
import dev.kopf4j.devcluster.DevCluster;
import dev.kopf4j.devcluster.Options;
import java.time.Duration;
import java.util.function.UnaryOperator;

/**
 * Runs an operator on a cluster of its own, from {@link #start} until {@link #close}. Thread-safe.
 *
 * <pre>{@code
 * try (OperatorRunner runner = OperatorRunner.start(definitions, operator -> operator.clusterwide().handlers(Example.class))) {
 *     runner.cluster().apply(object);
 *     // look at what the operator has made of it, by a client for runner.connection()
 * }
 * }</pre>
 */
public final class OperatorRunner implements AutoCloseable {
    /** How long an operator may take to start; it takes well below a second. */
    private static final Duration START_TIMEOUT = Duration.ofSeconds(30);

    private final DevCluster cluster;
    private final OperatorHandle operator;

    private OperatorRunner(DevCluster cluster, OperatorHandle operator) {
        this.cluster = cluster;
        this.operator = operator;
    }

    /**
     * Starts a cluster, and an operator for it; returns when the operator watches the cluster.
     *
     * @param manifests what is applied to the cluster before: YAML of custom resource definitions and objects, or
     *     nothing
     * @param operator adds handlers and settings
     * @throws OperatorException if the operator cannot start
     */
    public static OperatorRunner start(String manifests, UnaryOperator<OperatorBuilder> operator) {
        DevCluster cluster = DevCluster.start(Options.defaults().growingClaims(true));
        try {
            cluster.apply(manifests);
            Operator built = operator.apply(Operator.builder().connection(connection(cluster)))
                    .build();
            return startIn(cluster, built);
        } catch (RuntimeException e) {
            cluster.close();
            throw e;
        }
    }

    private static OperatorRunner startIn(DevCluster cluster, Operator operator) {
        OperatorHandle handle = operator.start();
        try {
            if (!handle.awaitReady(START_TIMEOUT)) {
                throw new OperatorException("the operator was not ready within " + START_TIMEOUT.toSeconds() + " s");
            }
            return new OperatorRunner(cluster, handle);
        } catch (InterruptedException e) {
            handle.close();
            Thread.currentThread().interrupt();
            throw new OperatorException("interrupted while the operator was starting", e);
        } catch (RuntimeException e) {
            handle.close();
            throw e;
        }
    }

    private static ConnectionInfo connection(DevCluster cluster) {
        return ConnectionInfo.builder(cluster.url()).token(cluster.token()).build();
    }

    /** The cluster: apply objects, or look at them. */
    public DevCluster cluster() {
        return cluster;
    }

    /** The connection to the cluster, for a client of the test. */
    public ConnectionInfo connection() {
        return connection(cluster);
    }

    /** The operator, to stop it before the cluster, or to see whether it has failed. */
    public OperatorHandle operator() {
        return operator;
    }

    /** Stops the operator gracefully, then the cluster. */
    @Override
    public void close() {
        try (cluster) {
            operator.close();
        }
    }
}
