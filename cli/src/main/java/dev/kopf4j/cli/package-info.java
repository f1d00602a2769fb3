/**
 * The commands of the program {@code kopf4j}, their options and exit codes. This is the outermost layer: it reads
 * files, the environment and signals, and calls the framework and the embedded cluster; nothing calls it.
 */
package dev.kopf4j.cli;
