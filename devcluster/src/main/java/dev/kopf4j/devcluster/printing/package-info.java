/** Tables, as {@code kubectl get} shows them. Pure. */
package dev.kopf4j.devcluster.printing;
