/**
 * What the verbs have in common, for clients and controllers. The verbs themselves are in {@code read} and
 * {@code write}. They are the same for all resources; differences come from the resource's data and its strategy.
 */
package dev.kopf4j.devcluster.registry;
