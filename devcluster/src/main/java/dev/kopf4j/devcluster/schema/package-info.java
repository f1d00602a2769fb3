/**
 * Structural schemas of custom resources: what an unknown field is, what is filled in, what is wrong. Pure functions
 * over JSON trees.
 */
package dev.kopf4j.devcluster.schema;
