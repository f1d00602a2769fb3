/**
 * Server-side apply and field ownership (KEP-555), by the rules of the library structured-merge-diff. Pure functions
 * over JSON trees. {@link FieldManager} records each write, {@link FieldManager.ServerSideApply} is one apply.
 */
package dev.kopf4j.devcluster.fieldmanager;
