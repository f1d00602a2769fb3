/**
 * The store: all objects of all resources under one version counter, each resource with a window of its last changes,
 * from which watches and lists of older versions are served.
 *
 * <p>The store knows nothing of HTTP, kinds or rules: an object is a place (bucket, namespace, name), a uid, a version
 * and bytes. Thread-safe; nothing here waits, starts threads or reads a clock. The version of an object is not part of
 * its bytes, so that one copy of the bytes serves the object, its DELETED event and all API versions.
 */
package dev.kopf4j.devcluster.storage;
