package dev.kopf4j.webhook;

/** The options of an {@link AutoWebhookServer}. */
record AutoChoice(LocalWebhookServer server, WebhookServer fallback) implements AutoWebhookServer {
    @Override
    public void serve(WebhookContext context) throws Exception {
        context.serve(this, context::publish);
    }

    @Override
    public AutoWebhookServer server(LocalWebhookServer value) {
        return new AutoChoice(value, fallback.equals(server) ? value : fallback);
    }

    @Override
    public AutoWebhookServer fallback(WebhookServer value) {
        return new AutoChoice(server, value);
    }
}
