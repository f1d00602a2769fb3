/**
 * How far the handlers of an unfinished change have come: a {@link dev.kopf4j.persistence.progress.ProgressRecord} for
 * each handler, in a {@link dev.kopf4j.persistence.progress.ProgressPersistence} in annotations, in the status, in
 * both, or in a user's own storage.
 *
 * <p>The formats are Kopf's. Reading is tolerant, and never throws because of what is stored. {@code engine.call} reads
 * and writes the records; {@code StorageFactory} makes the storages.
 */
@NullMarked
package dev.kopf4j.persistence.progress;

import org.jspecify.annotations.NullMarked;
