/**
 * Dependencies that source files name, as jbang has them, and the local and remote Maven repositories that have them.
 */
@NullMarked
package dev.kopf4j.cli.dependency;

import org.jspecify.annotations.NullMarked;
