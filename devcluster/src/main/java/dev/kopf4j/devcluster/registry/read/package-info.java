/** The verbs get, list and watch. */
package dev.kopf4j.devcluster.registry.read;
