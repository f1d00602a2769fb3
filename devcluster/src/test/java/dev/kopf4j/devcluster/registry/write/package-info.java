/** Tests of the verbs that are writes. */
@org.jspecify.annotations.NullMarked
package dev.kopf4j.devcluster.registry.write;
