/**
 * JSON as the framework uses it: reading and writing, field paths, equality, differences, merge patches and JSON
 * patches.
 *
 * <p>Everything here is a pure function of its arguments. Trees are Jackson's mutable nodes; a function changes only
 * the argument whose Javadoc says so. The package knows nothing of Kubernetes; every layer above uses it.
 */
package dev.kopf4j.json;
