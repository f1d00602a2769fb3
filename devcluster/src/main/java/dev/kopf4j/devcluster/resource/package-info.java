/**
 * Resources as data: names, scope, verbs, subresources, paths. The data of built-in resources comes from
 * {@code resources.json}, that of custom resources from their definitions.
 */
package dev.kopf4j.devcluster.resource;
