/** Files that only their owner can read, and failures with files in words. */
package dev.kopf4j.devcluster.file;
