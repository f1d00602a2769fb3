/** The kind of the group {@code autoscaling}: horizontal pod autoscalers. */
package dev.kopf4j.devcluster.strategy.autoscaling;
