/** Builds responses in the form that the client accepts: an object, its metadata only, a table. */
package dev.kopf4j.devcluster.response;
