package dev.kopf4j;

/** A whole object. Immutable. */
public interface Body extends View {
    /** The {@code apiVersion}; empty text if it has none. */
    String apiVersion();

    /** The {@code kind}; empty text if it has none. */
    String kind();

    /** The {@code metadata}. */
    Meta meta();

    /** The {@code spec}; empty if it has none. */
    Spec spec();

    /** The {@code status}; empty if it has none. */
    Status status();
}
