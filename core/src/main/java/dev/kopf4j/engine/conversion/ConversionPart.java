package dev.kopf4j.engine.conversion;

/** What of an object a function converts. */
public enum ConversionPart {
    /** Its {@code spec}. */
    SPEC("spec"),
    /** Its {@code status}. */
    STATUS("status"),
    /** All of it. */
    BODY("body");

    private final String key;

    ConversionPart(String key) {
        this.key = key;
    }

    /** Its key in the object, and the name of parameters that get it. */
    public String key() {
        return key;
    }
}
