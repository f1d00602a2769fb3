/** Tests of the HTTP side. */
@org.jspecify.annotations.NullMarked
package dev.kopf4j.devcluster.http;
