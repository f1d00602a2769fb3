/**
 * Collects which tests show which promise of kopf4j. The promises are rows of a table; a test of any module carries the
 * id of a row as its tag. Not published: the tests of all modules use it, as a JUnit extension that is found by itself.
 */
@NullMarked
package dev.kopf4j.checklist;

import org.jspecify.annotations.NullMarked;
