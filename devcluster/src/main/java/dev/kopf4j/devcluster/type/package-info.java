/**
 * The types of built-in kinds as data: fields, forms, merge keys, defaults; and the reading and writing of objects by
 * them the way the API does it: unknown fields reported, wrong types refused, empty values left out, quantities and
 * times in their canonical form. Read from {@code types.txt} and {@code defaults.txt} when first needed.
 */
package dev.kopf4j.devcluster.type;
