package dev.kopf4j;

/** Words with a meaning of their own in value filters of annotations. */
public final class Filter {
    /** No filter: any value will do. */
    public static final String ANY = "\u0000any";

    /** There must be a value, whichever. */
    public static final String PRESENT = "\u0000present";

    /** There must be no value. */
    public static final String ABSENT = "\u0000absent";

    private Filter() {}
}
