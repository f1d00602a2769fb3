package dev.kopf4j.client.request;

import dev.kopf4j.client.error.RequestDescription;
import dev.kopf4j.client.transport.ResponseStream;

/**
 * The open stream of a response, with the request that it answers.
 *
 * @param requestDescription the request, for messages
 * @param server the server's address, for messages
 * @param stream the body of the response; the caller closes it
 */
public record OpenResponse(RequestDescription requestDescription, String server, ResponseStream stream) {}
