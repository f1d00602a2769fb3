/**
 * The verbs: create, update, patch, apply, delete, get, list, watch. They are the same for all resources; what differs
 * comes from the data of the resource and from its strategy.
 */
package dev.kopf4j.devcluster.registry;
