/**
 * Chooses one of several replicas to act, by a {@code Lease} of {@code coordination.k8s.io}. No two of them act at one
 * moment as long as their clocks run at about the same speed; what time they show does not matter.
 */
package dev.kopf4j.engine.leading;
