/** Autoscalers in a cluster without metrics: {@code pkg/controller/podautoscaler}, v1.33. */
package dev.kopf4j.devcluster.controller.podautoscaler;
