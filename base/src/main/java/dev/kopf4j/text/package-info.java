/**
 * Texts for people: what is wrong with a file that they have named, shortened messages, and timestamps; texts that are
 * well-formed, not too long, and harmless on a terminal. Pure, except that {@link dev.kopf4j.text.FileProblem} looks at
 * files.
 *
 * <p>All layers use it. Exported to the command line, which reads files of its own.
 */
@NullMarked
package dev.kopf4j.text;

import org.jspecify.annotations.NullMarked;
