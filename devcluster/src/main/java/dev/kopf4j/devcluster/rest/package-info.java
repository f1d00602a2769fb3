/**
 * The verbs on resources: reading, creating, updating, patching, deleting, watching. Each verb is the same for all
 * resources; what differs is asked from the resource's data and the rules of its kind.
 */
package dev.kopf4j.devcluster.rest;
