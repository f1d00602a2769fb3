/** Reads descriptions from the comments of sources. */
package dev.kopf4j.types.javadoc;
