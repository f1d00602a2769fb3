/**
 * Kopf's conventions for state in annotations: how annotations are named ({@code AnnotationKeys}), written and read
 * ({@code AnnotationRecords}), recognised by other operators ({@code OperatorMarker} there), and how large they may
 * become ({@code AnnotationSizeLimit}).
 *
 * <p>Pure functions of the body and the patch. Both kinds of storages, {@code progress} and {@code diffbase}, use them.
 */
@NullMarked
package dev.kopf4j.persistence.conventions;

import org.jspecify.annotations.NullMarked;
