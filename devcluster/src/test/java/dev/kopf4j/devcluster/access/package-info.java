/** Tests of who may do what. */
@org.jspecify.annotations.NullMarked
package dev.kopf4j.devcluster.access;
