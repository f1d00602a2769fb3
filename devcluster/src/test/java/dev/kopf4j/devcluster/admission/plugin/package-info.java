/** Tests of the built-in admission plugins. */
@org.jspecify.annotations.NullMarked
package dev.kopf4j.devcluster.admission.plugin;
