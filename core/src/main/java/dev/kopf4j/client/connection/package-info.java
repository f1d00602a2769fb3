/**
 * Holds the credentials in use, and the transports made of them; logs in again when they are not accepted any more.
 *
 * <p>However many requests find that out at once, there is one login.
 */
package dev.kopf4j.client.connection;
