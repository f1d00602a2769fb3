/** Tests of schemas. */
@org.jspecify.annotations.NullMarked
package dev.kopf4j.devcluster.schema;
