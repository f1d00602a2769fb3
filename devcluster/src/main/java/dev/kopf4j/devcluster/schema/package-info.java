/** Structural schemas of custom resources: pruning, defaulting, validation. Pure functions over JSON trees. */
package dev.kopf4j.devcluster.schema;
