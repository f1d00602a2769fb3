/**
 * A small HTTP/1.1 server (RFC 9112), with or without TLS: a task for each connection, limits for sizes and times,
 * errors in words. What is asked and answered, it does not know.
 */
@NullMarked
package dev.kopf4j.engine.http;

import org.jspecify.annotations.NullMarked;
