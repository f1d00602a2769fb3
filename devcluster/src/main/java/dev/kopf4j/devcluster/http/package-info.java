/** The socket side: the JDK's HTTP server on virtual threads, and certificates. */
package dev.kopf4j.devcluster.http;
