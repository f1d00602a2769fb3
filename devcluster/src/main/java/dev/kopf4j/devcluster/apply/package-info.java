/**
 * Server-side apply and field ownership: sets of fields, comparing and merging by the shape of a kind, and the
 * managedFields of objects. Pure functions over JSON trees. See KEP-555 and the structured-merge-diff design.
 */
package dev.kopf4j.devcluster.apply;
