package dev.kopf4j.engine.simulation;

import dev.kopf4j.Operator;
import dev.kopf4j.OperatorBuilder;
import dev.kopf4j.OperatorHandle;
import dev.kopf4j.client.transport.Transport;
import dev.kopf4j.engine.ClusterAccess;
import dev.kopf4j.engine.OperatorAssembly;
import dev.kopf4j.engine.OperatorEnvironment;
import dev.kopf4j.engine.OperatorPlan;
import dev.kopf4j.engine.tracing.OperatorTrace;
import dev.kopf4j.runtime.Platform;
import dev.kopf4j.webhook.WebhookServer;
import java.util.function.UnaryOperator;

/** Starts operators in simulated time, connected to a fake server. */
public final class SimulatedOperator {
    private SimulatedOperator() {}

    public static OperatorHandle start(
            Platform machine, FakeApiServer server, UnaryOperator<OperatorBuilder> handlers) {
        return start(machine, server.transport(machine), builder -> handlers.apply(builder.clusterwide()));
    }

    /** Starts an operator on a transport of the test's own. */
    public static OperatorHandle start(Platform machine, Transport transport, UnaryOperator<OperatorBuilder> handlers) {
        return start(machine, new FakeClusterAccess(transport), handlers);
    }

    /** Starts an operator whose webhooks a server of the test's own receives, whatever the settings say. */
    public static OperatorHandle start(
            Platform machine, Transport transport, WebhookServer webhooks, UnaryOperator<OperatorBuilder> handlers) {
        OperatorEnvironment environment =
                new OperatorEnvironment(machine, new FakeClusterAccess(transport), OperatorTrace.NONE, webhooks);
        return OperatorAssembly.assemble(OperatorPlan.of(handlers.apply(Operator.builder())), environment)
                .start();
    }

    /** Starts an operator with an access of the test's own. */
    public static OperatorHandle start(
            Platform machine, ClusterAccess access, UnaryOperator<OperatorBuilder> handlers) {
        OperatorBuilder builder = handlers.apply(Operator.builder());
        return OperatorAssembly.assemble(OperatorPlan.of(builder), new OperatorEnvironment(machine, access))
                .start();
    }
}
