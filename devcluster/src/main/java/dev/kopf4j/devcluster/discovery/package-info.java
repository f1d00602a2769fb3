/** Describes to clients what the server serves: groups, versions, resources, schemas. */
package dev.kopf4j.devcluster.discovery;
