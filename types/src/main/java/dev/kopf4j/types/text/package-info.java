/** Reads and writes YAML and JSON as plain maps, lists, texts, numbers and booleans. */
package dev.kopf4j.types.text;
