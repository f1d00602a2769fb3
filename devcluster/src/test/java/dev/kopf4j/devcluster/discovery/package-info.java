/** Tests of discovery. */
@org.jspecify.annotations.NullMarked
package dev.kopf4j.devcluster.discovery;
