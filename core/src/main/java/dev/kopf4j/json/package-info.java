/**
 * JSON as the framework sees it: reading and writing, field paths, equality, differences, merge patches and JSON
 * patches; and long texts, cut for people and for places of little room.
 *
 * <p>Everything here is a pure function of its arguments. Trees are Jackson's mutable nodes; a function changes only
 * the argument whose Javadoc says so. The package knows nothing of Kubernetes, and is used by every layer above.
 */
package dev.kopf4j.json;
