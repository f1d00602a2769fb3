/** Tests of what tables tell. */
@org.jspecify.annotations.NullMarked
package dev.kopf4j.devcluster.show;
