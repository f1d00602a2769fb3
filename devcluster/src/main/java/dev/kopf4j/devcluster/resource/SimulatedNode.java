package dev.kopf4j.devcluster.resource;

/**
 * A node on which simulated pods run.
 *
 * @param number from 1 on
 */
public record SimulatedNode(int number) {
    /** The name of the first one, with which those of the others begin. */
    private static final String NAME = "devcluster-node";

    /** Its name. */
    public String name() {
        return number == 1 ? NAME : NAME + "-" + number;
    }

    /** Its address. */
    public String address() {
        return "10.0." + number / 250 + "." + (number % 250);
    }

    /** The range of the addresses of its pods; 10.0 and 10.96 are for nodes and services. */
    public String podCidr() {
        int second = number <= 12 ? 243 + number : number < 108 ? number - 12 : number - 11;
        return "10." + second + ".0.0/16";
    }

    /** Whether a node of this name is simulated. */
    public static boolean is(String name) {
        return name.equals(NAME) || name.matches(NAME + "-[1-9][0-9]*");
    }
}
