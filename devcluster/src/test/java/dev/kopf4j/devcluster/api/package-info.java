/** Tests of requests as values. */
@org.jspecify.annotations.NullMarked
package dev.kopf4j.devcluster.api;
