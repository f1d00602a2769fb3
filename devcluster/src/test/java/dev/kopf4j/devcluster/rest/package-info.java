/** Tests of what the verbs answer. */
@org.jspecify.annotations.NullMarked
package dev.kopf4j.devcluster.rest;
