/**
 * What has to be in a cluster so that an operator can run there: definitions, an account with its roles, a deployment,
 * the service of its webhooks; as plain YAML, as a base of Kustomize, and as a Helm chart.
 *
 * <p>{@link dev.kopf4j.cli.manifests.OperatorManifests} makes the objects, which are plain maps as YAML has them;
 * {@link dev.kopf4j.cli.manifests.RoleManifests} makes roles of the rights that {@code engine.rights} finds.
 */
@NullMarked
package dev.kopf4j.cli.manifests;

import org.jspecify.annotations.NullMarked;
