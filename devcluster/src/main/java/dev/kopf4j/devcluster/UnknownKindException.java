package dev.kopf4j.devcluster;

/** A manifest is of a kind that the cluster does not serve. */
final class UnknownKindException extends IllegalArgumentException {
    private static final long serialVersionUID = 1;

    UnknownKindException(String message) {
        super(message);
    }
}
