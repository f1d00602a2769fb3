/** Tests of field ownership. */
@org.jspecify.annotations.NullMarked
package dev.kopf4j.devcluster.fieldmanager;
