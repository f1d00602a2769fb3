/** Tests of the controllers. */
@org.jspecify.annotations.NullMarked
package dev.kopf4j.devcluster.control;
