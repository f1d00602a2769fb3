/**
 * What the authors of operators test them with: annotations that start a cluster and the operator under test, and the
 * values that such tests get.
 */
@NullMarked
package dev.kopf4j.testing;

import org.jspecify.annotations.NullMarked;
