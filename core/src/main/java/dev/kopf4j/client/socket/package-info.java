/**
 * Requests over sockets: {@link dev.kopf4j.client.socket.SocketTransport}, on the blocking HTTP/1.1 of Apache HttpCore.
 *
 * <p>Each request in flight and each watch has a connection and blocks its own virtual thread. A deadline closes the
 * connection; an interrupt does, too. Connections are kept for the next request, and closed when nobody needs them for
 * a while. What a server, a proxy and a password file say is read here; {@code client.tls} makes the certificates.
 *
 * <p>{@code socket} stands on Apache HttpCore's blocking HTTP/1.1, one virtual thread and one connection for each
 * request in flight and each watch; an interrupt, the deadline or the end of the transport closes the connection, also
 * while it is being opened. What was compared over TLS is in {@code benchmarks/README.md}: it takes a third less
 * processor time than {@code java.net.http}, less than half of the allocation, and 6 MB less memory; HttpClient 5 and
 * OkHttp, which do more, took as much as the JDK's client or more. Connecting, tunnels of proxies, deadlines and the
 * rule that only GET is sent again on a connection that the server had closed are ours; parsing, keeping connections
 * and TLS are the libraries'.
 */
package dev.kopf4j.client.socket;
