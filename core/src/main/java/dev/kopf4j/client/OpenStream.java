package dev.kopf4j.client;

/** An open stream, and what it is of. */
record OpenStream(Target target, String server, AnswerStream stream) {}
