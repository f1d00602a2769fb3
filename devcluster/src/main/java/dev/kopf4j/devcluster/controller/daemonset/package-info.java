/** Daemon sets: {@code pkg/controller/daemon}, v1.33. */
package dev.kopf4j.devcluster.controller.daemonset;
