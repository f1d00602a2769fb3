/**
 * What kinds do with their objects beyond the common rules: defaults, derived values, checks. Custom kinds follow their
 * schema; built-in ones name the steps that they take in their data.
 */
package dev.kopf4j.devcluster.kind;
