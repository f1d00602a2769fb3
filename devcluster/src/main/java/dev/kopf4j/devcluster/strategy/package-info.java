/**
 * What kinds do beyond the common rules: defaults, derived values, validation, warnings. Each subpackage holds the
 * built-in kinds of one API group.
 */
package dev.kopf4j.devcluster.strategy;
