/** A dev cluster, operators and clients in one simulation, without sockets. */
@NullMarked
package dev.kopf4j.testing.virtual;

import org.jspecify.annotations.NullMarked;
