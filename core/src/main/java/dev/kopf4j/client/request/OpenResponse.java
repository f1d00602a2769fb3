package dev.kopf4j.client.request;

import dev.kopf4j.client.error.RequestDescription;
import dev.kopf4j.client.transport.ResponseStream;

/**
 * An open stream, and what it is of.
 *
 * @param requestDescription what was asked for
 * @param server the server's address, for messages
 * @param stream what the server sends; whoever has asked closes it
 */
public record OpenResponse(RequestDescription requestDescription, String server, ResponseStream stream) {}
