/**
 * Handlers as their authors have declared them, in either style: for which objects, how often, when; and the registry
 * that finds them by resource. {@code engine.registration} fills it before the operator starts; everything above reads
 * it. Declarations that make no sense are refused here ({@code HandlerDeclarationRules}).
 *
 * <p>Nothing is known of the cluster. Immutable, but for what options fill.
 */
package dev.kopf4j.engine.declaration;
