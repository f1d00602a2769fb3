/**
 * The authority that the webhook servers of all replicas share: what stands in its Secret, when it is replaced, and how
 * replicas agree on it. What it holds and when it changes is pure ({@code AuthorityState}, {@code AuthorityData}), and
 * so is what clients are told to trust ({@code TrustBundle}); {@code SharedAuthority} reads and writes.
 */
package dev.kopf4j.engine.admission.authority;
