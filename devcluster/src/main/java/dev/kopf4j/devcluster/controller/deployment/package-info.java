/**
 * Deployments and replica sets: {@code pkg/controller/deployment} and {@code pkg/controller/replicaset}, v1.33. The
 * controller of deployments acts as {@link DeploymentController.RollingUpdate} says how large its replica sets are to
 * be, {@link DeploymentController.DeploymentProgress} says whether the rollout goes on, and
 * {@link DeploymentController.DeploymentRevision} counts its templates.
 */
package dev.kopf4j.devcluster.controller.deployment;
