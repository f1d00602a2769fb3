/** Tests of the store. */
@org.jspecify.annotations.NullMarked
package dev.kopf4j.devcluster.storage;
