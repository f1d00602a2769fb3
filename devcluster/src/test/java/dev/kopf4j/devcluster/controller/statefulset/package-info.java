/** Tests of stateful sets. */
@org.jspecify.annotations.NullMarked
package dev.kopf4j.devcluster.controller.statefulset;
