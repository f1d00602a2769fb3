/**
 * Finds out which resources the cluster serves, in both formats of discovery; and names those that every cluster has.
 */
package dev.kopf4j.client.discovery;
