/**
 * The console of an embedded cluster that runs alone: what is in it, which requests come, and which faults are on.
 * {@code DevClusterConsole} makes the pages, {@code RequestFeed} keeps the newest requests; the server and the style
 * are those of an operator's console.
 */
@NullMarked
package dev.kopf4j.cli.console;

import org.jspecify.annotations.NullMarked;
