/**
 * What the framework guarantees, each promise as a test through real HTTP. On the dev cluster in the build; on a real
 * control plane by {@code e2e/guarantees --kubeconfig FILE}, as all of them are {@link dev.kopf4j.testing.KopfTest}s.
 * {@code docs/guarantees.md} names the test of each sentence.
 */
package dev.kopf4j.e2e.guarantees;
