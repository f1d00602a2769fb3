/**
 * What {@link dev.kopf4j.Kopf} does with objects that belong to another object: owner references, names, namespaces,
 * labels.
 *
 * <p>{@link dev.kopf4j.hierarchy.MetadataAccess} finds the objects in what was given and opens their metadata;
 * {@link dev.kopf4j.hierarchy.OwnerReferences} and {@link dev.kopf4j.hierarchy.MetadataChanges} change it, as pure
 * functions on maps; {@link dev.kopf4j.hierarchy.OwnerIdentity} is read from the object that is being handled, which
 * {@link dev.kopf4j.hierarchy.CurrentHandlerContext} knows.
 */
package dev.kopf4j.hierarchy;
