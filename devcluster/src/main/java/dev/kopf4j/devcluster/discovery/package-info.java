/** What is served, told to clients: groups, versions, resources, schemas. */
package dev.kopf4j.devcluster.discovery;
