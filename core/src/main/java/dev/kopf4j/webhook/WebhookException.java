package dev.kopf4j.webhook;

/** A request to a webhook that is no review, or none of this operator's. Its message is for whoever has sent it. */
public final class WebhookException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int status;

    /**
     * A refusal.
     *
     * @param status the HTTP status that a server answers with: 400, 404 or 409
     * @param message what is wrong
     */
    public WebhookException(int status, String message) {
        super(message);
        this.status = status;
    }

    /** The HTTP status that a server answers with. */
    public int status() {
        return status;
    }
}
