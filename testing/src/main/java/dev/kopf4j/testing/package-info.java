/**
 * What the author of an operator needs to test it: the operator running against an embedded cluster, in the test's JVM.
 */
package dev.kopf4j.testing;
