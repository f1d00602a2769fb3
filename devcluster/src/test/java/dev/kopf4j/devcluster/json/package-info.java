/** Tests of the reader of YAML. */
@org.jspecify.annotations.NullMarked
package dev.kopf4j.devcluster.json;
