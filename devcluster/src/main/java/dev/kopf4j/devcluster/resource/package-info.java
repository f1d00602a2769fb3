/**
 * What a resource is, as data: names, scope, verbs, subresources, columns, rules. The built-in ones come from
 * {@code resources.json}, custom ones from their CRDs; no kind has a class of its own.
 */
package dev.kopf4j.devcluster.resource;
