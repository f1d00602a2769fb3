/** Tests of who owns which fields. */
@org.jspecify.annotations.NullMarked
package dev.kopf4j.devcluster.apply;
