package dev.kopf4j.devcluster.types;

/** The type of a field's value. */
public sealed interface FieldType {
    /** A single value. */
    record Scalar(ScalarType scalarType) implements FieldType {}

    /** A list. */
    record ListOf(FieldType element) implements FieldType {}

    /** A map from strings. */
    record MapOf(FieldType value) implements FieldType {}

    /** An object of a named type. */
    record Struct(String type) implements FieldType {}

    /** The types of single values. */
    enum ScalarType {
        /** A string. */
        STRING('s'),
        /** A whole number of 32 bits. */
        INTEGER('i'),
        /** A whole number of 64 bits. */
        LONG('l'),
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
        /** A JSON schema, a boolean, or a list of schemas. */
        SCHEMA_OR_BOOL('j'),
        /** A JSON schema or a list of strings. */
        SCHEMA_OR_STRINGS('d');

        private final char letter;

        ScalarType(char letter) {
            this.letter = letter;
        }

        static ScalarType of(char letter) {
            for (ScalarType scalarType : values()) {
                if (scalarType.letter == letter) {
                    return scalarType;
                }
            }
            throw new IllegalArgumentException("no scalar type " + letter);
        }
    }
}
