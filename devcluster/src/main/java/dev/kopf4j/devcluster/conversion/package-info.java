/** Converts between stored objects and the form in which a resource shows them. */
package dev.kopf4j.devcluster.conversion;
