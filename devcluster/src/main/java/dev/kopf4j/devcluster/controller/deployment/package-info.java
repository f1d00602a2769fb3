/** Deployments and replica sets: {@code pkg/controller/deployment} and {@code pkg/controller/replicaset}, v1.33. */
package dev.kopf4j.devcluster.controller.deployment;
