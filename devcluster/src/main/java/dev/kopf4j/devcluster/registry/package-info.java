/**
 * What the verbs have in common, for clients and controllers. The verbs themselves, in {@code read} and {@code write},
 * are the same for all resources; what differs comes from the data of the resource and from its strategy.
 */
package dev.kopf4j.devcluster.registry;
