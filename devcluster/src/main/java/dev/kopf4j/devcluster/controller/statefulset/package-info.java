/** Stateful sets: {@code pkg/controller/statefulset}, v1.33. */
package dev.kopf4j.devcluster.controller.statefulset;
