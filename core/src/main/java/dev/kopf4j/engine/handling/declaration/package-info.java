/**
 * The declarations of handlers, as users have made them in either style: for which objects, how often, when. Nothing is
 * known of the cluster here. Immutable, but for the drafts that options fill.
 */
package dev.kopf4j.engine.handling.declaration;
