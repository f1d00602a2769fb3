/**
 * Stateful sets: {@code pkg/controller/statefulset}, v1.33. The controller carries out the steps of a
 * {@link StatefulSetController.StatefulSetPlan}, and keeps status and claims; {@link StatefulSetController.StatefulPod}
 * makes the pods.
 */
package dev.kopf4j.devcluster.controller.statefulset;
