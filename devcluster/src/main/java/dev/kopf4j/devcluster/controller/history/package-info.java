/** The revisions of stateful sets and daemon sets: {@code pkg/controller/history}, v1.33. */
package dev.kopf4j.devcluster.controller.history;
