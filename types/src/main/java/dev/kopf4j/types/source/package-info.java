/**
 * Writes records of definitions: {@link dev.kopf4j.types.source.ResourceSource}. What is written gives the same schema
 * again.
 */
package dev.kopf4j.types.source;
