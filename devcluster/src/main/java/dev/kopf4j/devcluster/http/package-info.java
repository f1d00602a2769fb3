/** The socket side: HTTP/1.1 and WebSocketConnection on virtual threads, TLS, certificates. */
package dev.kopf4j.devcluster.http;
