/** Tests of what is kept on disk. */
@org.jspecify.annotations.NullMarked
package dev.kopf4j.devcluster.journal;
