/**
 * Replays the recorded traces of a real API server against the one here, without sockets and without waiting: time is
 * virtual. The rules of comparison are those of the kit that recorded them.
 */
package dev.kopf4j.devcluster.conformance;
