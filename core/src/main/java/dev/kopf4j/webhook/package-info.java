/**
 * How the API server reaches the webhooks of an operator: servers and tunnels, and the addresses that they have. For
 * {@code settings.admission().server(...)}.
 *
 * <p>It has more than twenty classes because what users see and the records behind it, which only this package may
 * make, have to be in one package.
 */
@NullMarked
package dev.kopf4j.webhook;

import org.jspecify.annotations.NullMarked;
