/**
 * Several replicas share the objects: each acts on those of its shards.
 *
 * <p>An object belongs to a shard by its uid ({@link dev.kopf4j.engine.pausing.ShardSet}). Each replica is a member
 * with a lease of its own, which it renews; the group has one lease, whose annotation says who has which shards
 * ({@code ShardAssignment}). {@code ShardGroup} joins, reads, agrees and obeys: {@code GroupLeases} reads and writes
 * the leases, {@code GroupObservations} knows when their holders have certainly ended, and {@code ServedShards} serves
 * what is assigned and gives up what is not. What makes it safe:
 *
 * <ul>
 *   <li>A member acts on the shards that it has <em>and</em> is to have, and only for as long after the sending of its
 *       last renewal as its lease certainly lasts: the fence of all its requests and calls, as that of a leader.
 *   <li>A shard that it is to have no more stays its own until all work for its objects has ended; then it writes that
 *       nobody has it. Only a shard that nobody has is given to somebody else. Each write is refused if somebody else
 *       has written meanwhile.
 *   <li>Who cannot read the group, or write its lease, does not join; a member that cannot for as long as its lease
 *       lasts does not renew that any more. Otherwise it would be given shards, and never learn of it.
 *   <li>A member that does not renew its lease is expelled: its lease is deleted, on condition that it was not renewed
 *       since. So it cannot come back unnoticed, and its fence has closed before. A lease that somebody else has
 *       deleted counts as held for its whole duration.
 *   <li>The group's lease is always held by the group, so that replicas that elect a leader wait for its end; all
 *       members renew it, and their fences close before it ends.
 * </ul>
 *
 * <p>The shards go to the dispatchers by {@code pausing.ShardsToActOn}: {@code EventDispatcher} drops events of objects
 * of other shards, but for index functions; it finds the objects of new ones by a new list of its stream.
 */
package dev.kopf4j.engine.sharding;
