/** Tests of single values. */
@org.jspecify.annotations.NullMarked
package dev.kopf4j.devcluster.value;
