/** Java source files to loaded classes, in memory; knows nothing of operators. */
package dev.kopf4j.cli.compile;
