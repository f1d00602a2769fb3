/** Tests of faults on demand. */
@org.jspecify.annotations.NullMarked
package dev.kopf4j.devcluster.faultinjection;
