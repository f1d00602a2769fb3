/**
 * Lets objects come, change and go for long, and judges whether what the operator holds stays the same: in simulated
 * time for a number of events, or in real time over TLS for some minutes.
 */
@NullMarked
package dev.kopf4j.benchmarks.soak;

import org.jspecify.annotations.NullMarked;
