/** JSON and YAML trees: reading, writing, comparing. Pure functions without state. */
package dev.kopf4j.devcluster.json;
