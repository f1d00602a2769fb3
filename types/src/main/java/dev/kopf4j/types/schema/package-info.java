/** Makes structural schemas of Java types: {@link dev.kopf4j.types.schema.SchemaGenerator}. */
package dev.kopf4j.types.schema;
