/**
 * Files that people name: on the command line, in variables, in kubeconfigs. What is wrong with one is told in words.
 *
 * <p>Exported to the command line, which reads files of its own.
 */
package dev.kopf4j.file;
