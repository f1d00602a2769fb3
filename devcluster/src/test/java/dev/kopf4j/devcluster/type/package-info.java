/** Tests of typed values. */
@org.jspecify.annotations.NullMarked
package dev.kopf4j.devcluster.type;
