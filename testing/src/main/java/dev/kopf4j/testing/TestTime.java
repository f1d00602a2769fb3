package dev.kopf4j.testing;

/** The time that a test runs in. */
public enum TestTime {
    /** That of the machine: the operator has threads and sockets. */
    REAL,
    /**
     * A simulated one: operator, cluster and clients live in one simulation, whose clock moves only when all of them
     * wait.
     */
    VIRTUAL
}
