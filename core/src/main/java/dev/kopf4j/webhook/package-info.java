/**
 * How the API server reaches the webhooks of an operator: servers and tunnels, and the addresses that they have. For
 * {@code settings.admission().server(...)}.
 */
@NullMarked
package dev.kopf4j.webhook;

import org.jspecify.annotations.NullMarked;
