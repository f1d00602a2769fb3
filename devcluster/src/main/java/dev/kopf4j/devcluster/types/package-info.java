/**
 * The types of built-in kinds as data: fields, forms, merge keys, defaults. By them the codec reads and writes objects
 * as the real API server does: it reports unknown fields, refuses wrong types, leaves out empty values, and writes
 * quantities and times in canonical form. The data is read from {@code types.txt} and {@code defaults.txt} on first
 * use.
 */
package dev.kopf4j.devcluster.types;
