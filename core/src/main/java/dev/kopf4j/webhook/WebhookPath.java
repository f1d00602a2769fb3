package dev.kopf4j.webhook;

/** The path below which a server listens. */
final class WebhookPath {
    private WebhookPath() {}

    /** The path with a slash at its beginning and none at its end; empty for the root. */
    static String normalized(String path) {
        String front = path;
        while (front.endsWith("/")) {
            front = front.substring(0, front.length() - 1);
        }
        return front.isEmpty() || front.startsWith("/") ? front : "/" + front;
    }
}
