/**
 * How requests fail, told to people: what was asked, of which server, what it said, and which permission is missing.
 *
 * <p>A {@link dev.kopf4j.client.error.ClientException} is what is left when all retries that make sense are over. What
 * a transport throws is an {@link java.io.IOException}, and not here.
 */
package dev.kopf4j.client.error;
