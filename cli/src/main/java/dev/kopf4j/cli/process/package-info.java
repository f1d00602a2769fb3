/**
 * The process of a command: its exit codes, the exception that ends it with a message, the signals that stop it, and
 * the forced end if it does not stop. The only place of the program that handles signals and halts the JVM.
 *
 * <p>All commands and the other packages of the program use it.
 */
@NullMarked
package dev.kopf4j.cli.process;

import org.jspecify.annotations.NullMarked;
