package dev.kopf4j.devcluster.resource;

/** The node on which simulated pods run. */
public final class SimulatedNode {
    /** Its name. */
    public static final String NAME = "devcluster-node";

    /** Its address. */
    public static final String ADDRESS = "10.0.0.1";

    private SimulatedNode() {}
}
