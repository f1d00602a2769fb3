/**
 * Gives handlers fabric8's {@code KubernetesClient}, with the operator's credentials, and its models.
 *
 * <p>{@link dev.kopf4j.fabric8.Fabric8Integration} is found by the framework; nothing of fabric8 is loaded before a
 * handler asks for it, since that takes a third of a second.
 *
 * <p>There is no {@code module-info}: fabric8's jars are neither modules nor do they name themselves in their
 * manifests, so that their module names would come from the names of their files, and change with these. On a module
 * path this jar is the automatic module {@code dev.kopf4j.fabric8}.
 */
@NullMarked
package dev.kopf4j.fabric8;

import org.jspecify.annotations.NullMarked;
