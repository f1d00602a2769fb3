/**
 * The libraries of an operator: what of this program its classes see, and which classes of jars and folders have
 * handlers, found without loading them.
 */
@NullMarked
package dev.kopf4j.cli.library;

import org.jspecify.annotations.NullMarked;
