/**
 * Proves operators by simulation: seeds choose interleavings, faults and kills; rules are checked meanwhile and at the
 * end; what breaks one is made as small as possible and printed with the way to repeat it.
 */
@NullMarked
package dev.kopf4j.testing.simulation;

import org.jspecify.annotations.NullMarked;
