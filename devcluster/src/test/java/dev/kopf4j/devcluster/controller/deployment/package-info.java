/** Tests of deployments. */
@org.jspecify.annotations.NullMarked
package dev.kopf4j.devcluster.controller.deployment;
