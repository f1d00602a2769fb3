/** Routes requests to verbs, subresources, discovery and the faults page. */
package dev.kopf4j.devcluster.endpoints;
