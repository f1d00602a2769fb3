package dev.kopf4j.client.api;

/** The format of a patch. */
public enum PatchType {
    /** RFC 7386: an object that is merged; null removes. */
    MERGE("application/merge-patch+json"),
    /** RFC 6902: a list of operations. */
    JSON("application/json-patch+json");

    private final String mediaType;

    PatchType(String mediaType) {
        this.mediaType = mediaType;
    }

    /** The value of the {@code Content-Type} header. */
    public String mediaType() {
        return mediaType;
    }
}
