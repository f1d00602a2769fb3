/** Assertions about operators under test, in the manner of AssertJ. */
@NullMarked
package dev.kopf4j.testing.assertion;

import org.jspecify.annotations.NullMarked;
