/**
 * The declarations of handlers, as users have made them in either style: for which objects, how often, when. Nothing is
 * known of the cluster here. Immutable, but for the drafts that options fill.
 *
 * <p>The package has more than twenty classes because each group of options has a declaration and a draft of it, and a
 * handler's declaration is made of all of them.
 */
package dev.kopf4j.engine.handling.declaration;
