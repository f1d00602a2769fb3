/** Puts custom resource definitions together: names, versions, columns, and the schemas of the types. */
package dev.kopf4j.types.definition;
