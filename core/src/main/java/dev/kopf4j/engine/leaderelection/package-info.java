/**
 * Chooses one of several replicas of an operator by a Lease: it acts, and the others stand by. The leader's writes and
 * calls are fenced: none begins after the moment until which the lease is certainly its own.
 *
 * <p>Pauses and resumes the operator as peering does.
 */
package dev.kopf4j.engine.leaderelection;
