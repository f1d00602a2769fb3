/** Tests of expressions. */
@org.jspecify.annotations.NullMarked
package dev.kopf4j.devcluster.cel;
