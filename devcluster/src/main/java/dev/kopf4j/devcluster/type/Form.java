package dev.kopf4j.devcluster.type;

/** The form of a value. */
public sealed interface Form {
    /** A single value. */
    record Scalar(Basic basic) implements Form {}

    /** A list. */
    record ListOf(Form element) implements Form {}

    /** A map from strings. */
    record MapOf(Form value) implements Form {}

    /** An object of a named type. */
    record Struct(String type) implements Form {}

    /** The basic forms. */
    enum Basic {
        /** A string. */
        STRING('s'),
        /** A whole number. */
        INTEGER('i'),
        /** A boolean. */
        BOOLEAN('b'),
        /** A number. */
        NUMBER('f'),
        /** A quantity such as 500m or 1Gi. */
        QUANTITY('q'),
        /** A whole number or a string. */
        INT_OR_STRING('x'),
        /** A time in seconds. */
        TIME('t'),
        /** A time in microseconds. */
        MICRO_TIME('u'),
        /** Bytes in base64. */
        BYTES('y'),
        /** Any JSON. */
        ANY('a'),
        /** A JSON schema or a boolean. */
        SCHEMA_OR_BOOL('j');

        private final char letter;

        Basic(char letter) {
            this.letter = letter;
        }

        static Basic of(char letter) {
            for (Basic basic : values()) {
                if (basic.letter == letter) {
                    return basic;
                }
            }
            throw new IllegalArgumentException("no basic form " + letter);
        }
    }
}
