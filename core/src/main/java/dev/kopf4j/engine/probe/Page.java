package dev.kopf4j.engine.probe;

/** Something that is asked for by HTTP. Thread-safe. */
@FunctionalInterface
public interface Page {
    /** The answer of this moment. */
    PageContent content() throws InterruptedException;
}
