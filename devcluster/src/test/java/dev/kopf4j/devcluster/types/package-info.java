/** Tests of how objects of built-in kinds are read. */
@org.jspecify.annotations.NullMarked
package dev.kopf4j.devcluster.types;
