/** Tests of certificates. */
@org.jspecify.annotations.NullMarked
package dev.kopf4j.devcluster.response;
