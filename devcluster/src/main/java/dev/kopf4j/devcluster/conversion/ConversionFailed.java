package dev.kopf4j.devcluster.conversion;

/** Why a conversion has failed, in the words of the server. */
final class ConversionFailed extends Exception {
    private static final long serialVersionUID = 1;

    ConversionFailed(String message) {
        super(message);
    }
}
