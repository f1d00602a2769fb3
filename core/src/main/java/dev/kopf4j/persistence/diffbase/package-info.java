/**
 * The diff-base: the essence of an object as it was handled last, in a
 * {@link dev.kopf4j.persistence.diffbase.DiffBasePersistence} in an annotation, in the status, in several, or in a
 * user's own storage. {@code EssenceBuilder} decides which fields are essential.
 *
 * <p>The formats are Kopf's. Reading is tolerant, and never throws because of what is stored. {@code engine.cause}
 * compares the essences, {@code engine.cycle} stores them; {@code StorageFactory} makes the storages.
 */
@NullMarked
package dev.kopf4j.persistence.diffbase;

import org.jspecify.annotations.NullMarked;
