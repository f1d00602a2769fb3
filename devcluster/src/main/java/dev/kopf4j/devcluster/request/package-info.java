/** Reads an API request on a resource: path, options, body. */
package dev.kopf4j.devcluster.request;
