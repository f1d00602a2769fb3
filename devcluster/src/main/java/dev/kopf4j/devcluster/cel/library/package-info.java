/**
 * The functions that Kubernetes adds to the Common Expression Language, one class for each file in
 * {@code pkg/cel/library} of the apiserver library, v1.33.
 */
package dev.kopf4j.devcluster.cel.library;
