package dev.kopf4j.virtual;

import dev.kopf4j.ConnectionInfo;
import dev.kopf4j.devcluster.ApiServer;
import dev.kopf4j.devcluster.Options;
import dev.kopf4j.engine.OperatorEnvironment;
import dev.kopf4j.engine.tracing.OperatorTrace;
import dev.kopf4j.runtime.Platform;
import dev.kopf4j.runtime.SimulatedPlatform;
import dev.kopf4j.spi.RequestChannel;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;

/** A dev cluster in a simulation, and the ways to it. Confined to the simulation. */
public final class SimulatedCluster {
    private static final String TOKEN = "admin";
    /** What stands for the address of the server: nobody is reached there. */
    public static final String ADDRESS = "http://virtual-time.invalid";

    private final SimulatedPlatform world;
    private final SimulatedPlatform machine;
    private final ServerTasks tasks;
    private final SimulatedWebhooks webhooks;
    private final ApiServer server;

    /** A cluster on a machine of its own. */
    public SimulatedCluster(SimulatedPlatform world, Options options) {
        this.world = world;
        this.machine = world.machine("server");
        this.tasks = new ServerTasks(machine);
        this.webhooks = new SimulatedWebhooks(world);
        this.server =
                new ApiServer(options.clock(world::now).random(world.random()).webhookCaller(webhooks), tasks, TOKEN);
        tasks.start();
    }

    /** The server. */
    public ApiServer server() {
        return server;
    }

    /** The webhooks and conversions of operators. */
    public SimulatedWebhooks webhooks() {
        return webhooks;
    }

    /** The bearer token of the administrator. */
    public String adminToken() {
        return TOKEN;
    }

    /** Creates or updates objects. */
    public void apply(String manifests) {
        server.apply(manifests, tasks::settle);
    }

    /**
     * Takes over an object of another cluster as it is; what controllers have to do about it has happened when this
     * method returns.
     *
     * @return false if its kind is not served here
     */
    public boolean importObject(byte[] object) {
        boolean known = server.importObject(object);
        tasks.settle();
        return known;
    }

    /** A network without faults of its own. */
    public SimulatedNetwork network() {
        return (client, request) -> server.handle(request);
    }

    /**
     * What an operator runs on.
     *
     * @param client its machine
     * @param own adds to that machine what is recorded
     */
    public OperatorEnvironment environment(
            SimulatedPlatform client,
            UnaryOperator<Platform> own,
            SimulatedNetwork network,
            String token,
            OperatorTrace trace) {
        SimulatedAccess access = new SimulatedAccess(
                info(token),
                credential -> new SimulatedTransport(
                        client, machine, network, credential.token() == null ? token : credential.token()),
                channel(client, network),
                null);
        Platform platform = own.apply(client);
        return new OperatorEnvironment(platform, access, trace, webhooks.server(client, platform));
    }

    /**
     * The way of clients of other libraries to the server.
     *
     * @param client the machine of the client
     */
    public RequestChannel channel(SimulatedPlatform client, SimulatedNetwork network) {
        return channel(client, network, () -> false);
    }

    /**
     * The same, for clients that look at several things at one moment.
     *
     * @param keepsTurn whether nothing else may happen while an answer comes that takes no time
     */
    public RequestChannel channel(SimulatedPlatform client, SimulatedNetwork network, BooleanSupplier keepsTurn) {
        return new SimulatedChannel(client, network, keepsTurn);
    }

    private static ConnectionInfo info(String token) {
        return ConnectionInfo.builder(ADDRESS)
                .token(token)
                .defaultNamespace("default")
                .build();
    }

    /** The simulation that it lives in. */
    public SimulatedPlatform world() {
        return world;
    }
}
