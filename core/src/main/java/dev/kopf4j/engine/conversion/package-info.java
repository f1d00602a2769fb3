/**
 * Converts objects of custom resources from one version to another by the functions of the user, as the API server asks
 * for it. {@code ConversionReviews} answers, {@code DefinitionConverter} has the order of the steps, which
 * {@code ConversionPaths} finds; {@code PartConversion} takes one, and {@code ConvertedMetadata} and
 * {@code ReturnedFields} set right what comes of it. Nothing is written and nothing remembered.
 */
package dev.kopf4j.engine.conversion;
