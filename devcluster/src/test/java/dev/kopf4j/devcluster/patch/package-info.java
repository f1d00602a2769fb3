/** Tests of patches. */
@org.jspecify.annotations.NullMarked
package dev.kopf4j.devcluster.patch;
