/** Tests of what controllers share. */
@org.jspecify.annotations.NullMarked
package dev.kopf4j.devcluster.controller.action;
