/**
 * The commands of the program {@code kopf4j} and their options. This is the outermost layer: it reads files, the
 * environment and signals, and calls the framework and the embedded cluster; nothing calls it.
 *
 * <p>{@code source} finds handler classes, and compiles source files; {@code cluster} runs the embedded cluster for a
 * command, {@code process} has exit codes and signals, {@code logging} has the log lines.
 */
package dev.kopf4j.cli;
