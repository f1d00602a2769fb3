/**
 * Finds the handler classes in what a user has named: {@link dev.kopf4j.cli.source.OperatorSources} compiles source
 * files in memory, and finds the classes with handlers in these, in jars, in folders and on the class path.
 *
 * <p>Nothing is written to disk. {@code kopf4j run} calls it. If something cannot be used, a
 * {@link dev.kopf4j.cli.process.CommandException} names the way out.
 */
@NullMarked
package dev.kopf4j.cli.source;

import org.jspecify.annotations.NullMarked;
