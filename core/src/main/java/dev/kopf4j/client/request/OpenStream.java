package dev.kopf4j.client.request;

import dev.kopf4j.client.error.Target;
import dev.kopf4j.client.transport.AnswerStream;

/**
 * An open stream, and what it is of.
 *
 * @param target what was asked for
 * @param server the server's address, for messages
 * @param stream what the server sends; whoever has asked closes it
 */
public record OpenStream(Target target, String server, AnswerStream stream) {}
