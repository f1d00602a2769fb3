package dev.kopf4j.devcluster.status;

/** An error in one field of an object: a machine-readable type, a message, and the field. */
public record FieldError(Type type, String message, String field) {
    /** The kinds of field errors that the API names. */
    public enum Type {
        /** A wrong value. */
        INVALID("FieldValueInvalid"),
        /** A missing value. */
        REQUIRED("FieldValueRequired"),
        /** A value outside an enumeration. */
        NOT_SUPPORTED("FieldValueNotSupported"),
        /** A value that the client may not set. */
        FORBIDDEN("FieldValueForbidden"),
        /** A second element with the same key. */
        DUPLICATE("FieldValueDuplicate"),
        /** A reference to something that is not there. */
        NOT_FOUND("FieldValueNotFound"),
        /** A string that is too long. */
        TOO_LONG("FieldValueTooLong"),
        /** A list with too many elements. */
        TOO_MANY("FieldValueTooMany"),
        /** A value of the wrong JSON type. */
        TYPE_INVALID("FieldValueTypeInvalid"),
        /** The server cannot say. */
        INTERNAL("InternalError");

        private final String reason;

        Type(String reason) {
            this.reason = reason;
        }

        /** The name that the API uses. */
        public String reason() {
            return reason;
        }
    }

    /** A wrong value, quoted as it would be in JSON; empty if it is not shown. */
    public static FieldError invalid(String field, String shown, String detail) {
        String value = shown.isEmpty() ? "" : ": " + shown;
        return new FieldError(Type.INVALID, "Invalid value" + value + (detail.isEmpty() ? "" : ": " + detail), field);
    }

    /** A wrong string. */
    public static FieldError invalidString(String field, String value, String detail) {
        return invalid(field, quote(value), detail);
    }

    /** A missing value. */
    public static FieldError required(String field, String detail) {
        return new FieldError(Type.REQUIRED, "Required value" + (detail.isEmpty() ? "" : ": " + detail), field);
    }

    /** A value that names nothing. */
    public static FieldError notFound(String field, String shown) {
        return new FieldError(Type.NOT_FOUND, "Not found: " + shown, field);
    }

    /** A value that may not be set. */
    public static FieldError forbidden(String field, String detail) {
        return new FieldError(Type.FORBIDDEN, "Forbidden: " + detail, field);
    }

    /** A value outside an enumeration. */
    public static FieldError notSupported(String field, String shown, Iterable<String> supported) {
        StringBuilder words = new StringBuilder();
        for (String value : supported) {
            words.append(words.isEmpty() ? "" : ", ").append(quote(value));
        }
        return new FieldError(
                Type.NOT_SUPPORTED,
                "Unsupported value: " + shown + (words.isEmpty() ? "" : ": supported values: " + words),
                field);
    }

    /** A second element with the same key. */
    public static FieldError duplicate(String field, String shown) {
        return new FieldError(Type.DUPLICATE, "Duplicate value: " + shown, field);
    }

    /** A list with too many elements. */
    public static FieldError tooMany(String field, int actual, int most) {
        return new FieldError(
                Type.TOO_MANY,
                "Too many: " + actual + ": must have at most " + most + (most == 1 ? " item" : " items"),
                field);
    }

    /** A text in double quotes with JSON escapes. */
    public static String quote(String value) {
        return '"' + value.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n") + '"';
    }
}
