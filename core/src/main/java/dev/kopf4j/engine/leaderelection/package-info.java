/**
 * Chooses one of several replicas of an operator by a Lease: it acts, and the others stand by. The leader's writes and
 * calls are fenced: none begins after the moment until which the lease is certainly its own.
 *
 * <p>Pauses and resumes the operator as peering does. Only where webhooks ask indices, the replicas that stand by go on
 * watching and indexing: for them, all objects are in shards of others.
 *
 * <p>{@code engine.leaderelection} chooses one of several replicas by a {@code Lease}. A leader may write until a
 * moment between the end of its renewals and the end of its lease, counted from before the renewal was sent. Each
 * attempt of a request asks the {@code LeadershipFence}, and nobody waits for a response beyond it. What is late in
 * spite of that conflicts: while it leads, the operator names in each PATCH the version that the PATCH is made for.
 */
package dev.kopf4j.engine.leaderelection;
