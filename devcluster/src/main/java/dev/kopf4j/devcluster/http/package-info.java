/** The socket side: HTTP/1.1, TLS and WebSocket connections, on virtual threads. Knows requests and responses only. */
package dev.kopf4j.devcluster.http;
