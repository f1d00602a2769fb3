/**
 * Converts objects of custom resources from one version to another by the functions of the user, as the API server asks
 * for it. {@code ConversionReviews} answers, {@code DefinitionConverter} has the order of the steps. Nothing is written
 * and nothing remembered.
 *
 * <p>{@code engine.conversion} answers the API server's other question: what an object is in another version.
 * {@code ConversionPaths} finds the steps, {@code DefinitionConverter} takes them, {@code PartConversion} calls a
 * function and keeps the fields that its type does not know ({@code UnknownFields}), {@code ConvertedMetadata} refuses
 * what may not change. {@code ConversionReviews} speaks the protocol, and shares the webhook server with admission.
 * Functions are called in the request's own thread: a list of ten thousand objects is ten thousand calls.
 * {@code configuration.ManagedConversions} tells the definitions, and refuses to start where no way leads from one
 * version to another.
 */
package dev.kopf4j.engine.conversion;
