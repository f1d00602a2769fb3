/**
 * The one store: all objects of all resources under one version counter, each resource with a window of its last
 * events, from which watches and lists of older versions are served.
 *
 * <p>Knows nothing of HTTP, kinds or rules: an object is a place (bucket, namespace, name), a uid, a version and bytes.
 * Thread-safe; nothing here waits, starts threads or looks at a clock. The version of an object is not part of its
 * bytes, so that one copy of the bytes serves the object, its DELETED event and all API versions.
 */
package dev.kopf4j.devcluster.store;
