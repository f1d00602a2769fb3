package dev.kopf4j.checklist.audit;

import java.util.Set;

/**
 * A test, and the lines that it executes. Immutable.
 *
 * @param module the name of its module
 * @param selector its class and method, as JUnit's selector of a method has them
 * @param rows the rows whose tags it carries
 * @param lines what it executes of the product's code
 */
record RecordedTest(String module, String selector, Set<String> rows, Set<CodeLine> lines) {}
