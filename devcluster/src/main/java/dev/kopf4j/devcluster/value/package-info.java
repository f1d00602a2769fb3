/** The text forms of single values: quantities, durations, times, addresses. Pure. */
package dev.kopf4j.devcluster.value;
