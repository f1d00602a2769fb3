/** Runs tests with an operator each: the JUnit side of the kit. */
@NullMarked
package dev.kopf4j.testing.extension;

import org.jspecify.annotations.NullMarked;
