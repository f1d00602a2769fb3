/** Tests of credentials. */
@org.jspecify.annotations.NullMarked
package dev.kopf4j.devcluster.authentication;
