/**
 * An embedded Kubernetes API server for development and tests.
 *
 * <p>{@link dev.kopf4j.devcluster.DevCluster} is the server on a socket; {@link dev.kopf4j.devcluster.ApiServer} is the
 * same without one: {@code handle(request)} returns a response and waits for webhooks only. Users need this package,
 * {@code api} and {@code faultinjection}; nothing else is exported.
 *
 * <p>Arrows between the packages point down, and {@code LayersTest} holds it. From the top: {@code controller} has the
 * controllers, {@code endpoints} routes requests, {@code registry} carries out the verbs, the same for all resources;
 * {@code strategy} has what single kinds add; {@code request} reads requests, {@code response} and {@code printing}
 * write responses, {@code authentication}, {@code authorization} and {@code admission} guard them; {@code resource},
 * {@code types} and {@code schema} describe resources as data; {@code storage} keeps all objects under one version
 * counter, and {@code journal} keeps the store on disk. {@code http} and {@code certificate} are the socket side.
 *
 * <p>A watch reads from the windows of the store by a cursor, without a queue or thread of its own; a watch that falls
 * behind its window gets 410.
 *
 * <p>The server runs the controllers of garbage collection, namespaces, service accounts, volume protection and custom
 * resource definitions, and signs approved requests for certificates of its clients. Workloads are simulated on request
 * ({@code Options.workloads}); there are no containers or networks, and no aggregated API servers. The document
 * {@code docs/devcluster.md} lists all known differences from a real server.
 */
package dev.kopf4j.devcluster;
