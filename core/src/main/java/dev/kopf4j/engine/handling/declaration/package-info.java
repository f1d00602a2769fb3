/**
 * What users declare of handlers, in either style, before anything is known of the cluster: which objects, how often,
 * when. Immutable, but for the drafts that options fill.
 */
package dev.kopf4j.engine.handling.declaration;
