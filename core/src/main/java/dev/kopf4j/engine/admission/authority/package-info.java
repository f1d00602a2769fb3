/**
 * The authority that the webhook servers of all replicas share: what stands in its Secret, when it is replaced, and how
 * replicas agree on it. When it changes is pure ({@code AuthorityState}), and so is what clients are told to trust
 * ({@code TrustBundle}); {@code SharedAuthority} reads and writes it, as one of the cluster's {@code Secrets}.
 */
package dev.kopf4j.engine.admission.authority;
