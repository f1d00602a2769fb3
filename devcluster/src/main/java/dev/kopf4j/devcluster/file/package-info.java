/**
 * Files that only their owner can read, the data of the server beside its classes, and failures with files in words.
 */
package dev.kopf4j.devcluster.file;
