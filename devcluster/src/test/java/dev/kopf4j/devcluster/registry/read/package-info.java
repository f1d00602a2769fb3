/** Tests of the verbs that are reads. */
@org.jspecify.annotations.NullMarked
package dev.kopf4j.devcluster.registry.read;
