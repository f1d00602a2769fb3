/** Compares definitions: which changes break objects, clients or stored data that were fine before. */
package dev.kopf4j.types.comparison;
