package dev.kopf4j.engine.probe;

/** Something that is asked for by HTTP. Thread-safe. */
@FunctionalInterface
public interface ProbePage {
    /** The answer of this moment. */
    ProbeResponse content() throws InterruptedException;
}
