/**
 * Converts objects of custom resources from one version to another by the functions of the user, as the API server asks
 * for it. {@code ConversionReviews} answers, {@code DefinitionConverter} has the order of the steps, which
 * {@code ConversionPaths} finds; {@code PartConversion} takes one, and {@code ConvertedMetadata} and
 * {@code object.UnknownFields} set right what comes of it. Nothing is written and nothing remembered.
 *
 * <p>{@code ConversionReviews} shares the webhook server with admission. Functions are called in one task for each
 * request, since the API server waits for half a minute only: a list of ten thousand objects is ten thousand calls.
 * {@code configuration.ManagedConversions} tells the definitions, and refuses to start where no way leads from one
 * version to another.
 */
package dev.kopf4j.engine.conversion;
