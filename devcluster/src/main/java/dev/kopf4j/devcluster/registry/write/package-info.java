/** The verbs create, update, patch, apply and delete. */
package dev.kopf4j.devcluster.registry.write;
