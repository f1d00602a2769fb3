/** Tests of autoscalers. */
@org.jspecify.annotations.NullMarked
package dev.kopf4j.devcluster.controller.podautoscaler;
