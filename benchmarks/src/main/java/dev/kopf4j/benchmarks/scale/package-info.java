/**
 * Measures how what an operator costs grows with the number of objects, and of resources: each figure at n, 2n and 4n.
 */
@NullMarked
package dev.kopf4j.benchmarks.scale;

import org.jspecify.annotations.NullMarked;
