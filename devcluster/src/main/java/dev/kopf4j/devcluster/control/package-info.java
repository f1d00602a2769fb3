/**
 * The controllers inside the server: custom resource definitions, namespaces, garbage collection. Each is told of
 * changes by the store and works through the injected tasks, one step at a time; none polls.
 */
package dev.kopf4j.devcluster.control;
