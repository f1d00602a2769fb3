/**
 * The functions of {@link dev.kopf4j.Kopf}: owner references, names, namespaces and labels of objects that belong to
 * another object, and events about objects.
 *
 * <p>{@link dev.kopf4j.hierarchy.MetadataAccess} finds the metadata of the given objects;
 * {@link dev.kopf4j.hierarchy.MetadataChanges} changes it, as pure functions on maps.
 * {@link dev.kopf4j.hierarchy.CurrentHandlerContext} knows the object that is being handled, which is the owner unless
 * another one is given ({@link dev.kopf4j.hierarchy.OwnerIdentity}). The engine takes events by an
 * {@link dev.kopf4j.hierarchy.ObjectEvent.EventSink}.
 */
package dev.kopf4j.hierarchy;
