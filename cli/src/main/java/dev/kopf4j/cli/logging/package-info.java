/**
 * The format of the program's log lines. Only the program chooses a logging backend; the framework's modules do not.
 */
package dev.kopf4j.cli.logging;
