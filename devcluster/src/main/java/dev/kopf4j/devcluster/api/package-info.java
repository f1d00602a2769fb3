/**
 * The values that cross the border of the server: requests, responses, watch streams, scheduled tasks, webhook calls.
 * They name no socket and no class of the server, so that a simulation can make and read them.
 */
package dev.kopf4j.devcluster.api;
