/** Tells clients what is served: groups, versions, resources, schemas. */
package dev.kopf4j.devcluster.discovery;
