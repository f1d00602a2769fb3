/** Tests of tables. */
@org.jspecify.annotations.NullMarked
package dev.kopf4j.devcluster.printing;
