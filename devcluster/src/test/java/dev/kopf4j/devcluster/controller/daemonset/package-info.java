/** Tests of daemon sets. */
@org.jspecify.annotations.NullMarked
package dev.kopf4j.devcluster.controller.daemonset;
