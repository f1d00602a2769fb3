/**
 * Faults on demand: which requests they hit, and how they are injected into answers and watches. Users make
 * {@link dev.kopf4j.devcluster.faultinjection.FaultRule rules}, as values or as text, and add them to the
 * {@link dev.kopf4j.devcluster.faultinjection.Faults} of a cluster.
 */
package dev.kopf4j.devcluster.faultinjection;
