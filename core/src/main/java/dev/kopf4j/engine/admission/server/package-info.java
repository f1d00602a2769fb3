/**
 * The framework's own webhook servers and tunnels: what {@code WebhookServer.local()}, {@code auto()} and
 * {@code ngrok()} describe. They receive requests and hand them on; what a review means, they do not know.
 */
@NullMarked
package dev.kopf4j.engine.admission.server;

import org.jspecify.annotations.NullMarked;
