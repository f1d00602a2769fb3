/** Tests of the controllers of custom resource definitions. */
@org.jspecify.annotations.NullMarked
package dev.kopf4j.devcluster.controller.apiextensions;
