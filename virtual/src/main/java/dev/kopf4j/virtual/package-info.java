/**
 * A dev cluster, operators and the clients of their handlers in one simulation, without sockets: {@code ApiServer} on
 * the simulated clock, the operator's transport, and a channel for clients of other libraries.
 */
@NullMarked
package dev.kopf4j.virtual;

import org.jspecify.annotations.NullMarked;
