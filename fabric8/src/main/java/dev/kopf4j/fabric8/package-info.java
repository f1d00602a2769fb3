/**
 * Gives handlers fabric8's {@code KubernetesClient}, with the operator's credentials, and its models.
 *
 * <p>The framework finds {@link dev.kopf4j.fabric8.Fabric8Integration}. It loads nothing of fabric8 before a handler
 * asks for it, since that takes a third of a second.
 *
 * <p>There is no {@code module-info}: fabric8's jars are not modules, and their manifests give no module names; the
 * names would come from the files, and change with them. On a module path this jar is the automatic module
 * {@code dev.kopf4j.fabric8}.
 */
@NullMarked
package dev.kopf4j.fabric8;

import org.jspecify.annotations.NullMarked;
