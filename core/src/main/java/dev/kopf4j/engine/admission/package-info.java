/**
 * Answers the API server's questions about requests of its clients: reviews come in, admission handlers are called, and
 * one response goes back. {@code AdmissionReviews} has the order of the steps: an {@code AdmissionReview} is read, its
 * {@code AdmissionReviews.AdmissionHandlers} get a {@code ReviewedRequest}, and an {@code AdmissionResponse} is made of
 * what they say. {@code Webhooks} has the server ({@code WebhookServerRun}) and what the API server is told of it. It
 * answers no more reviews at a time than the heap has room for ({@code TreeBudget}), whichever server brings them.
 * Nothing is written and nothing remembered; every replica answers, whether it acts or not.
 *
 * <p>All of it begins as soon as it is known what the cluster serves, before anything is watched, and in every replica:
 * it needs neither the streams nor the lead, and takes from them only the memos of the objects that they know.
 * {@code engine.admission.server} has the framework's own servers and tunnels ({@code BuiltInServers}), which the
 * public values in {@code webhook} only describe: {@code ReviewServer} receives reviews, and {@code LocalServerRun}
 * changes its certificates without closing the port: clients are told to trust the new one
 * ({@code WebhookConfigurationTask} says when they are) before it is shown. {@code engine.admission.identity} makes
 * certificates ({@code certificate}) or reads them, again and again ({@code ServerIdentities}). It also has the
 * authority that replicas share: {@code AuthorityState} is pure and knows the steps of its rotation,
 * {@code SharedAuthority} agrees on them with the others by conditional writes to a Secret, and {@code TrustBundle}
 * keeps what another replica has announced when a late one writes a configuration. {@code engine.http} is the HTTP/1.1
 * server below it, which knows nothing of reviews: {@code HttpListener} gives each connection a task,
 * {@code ConnectionGuard} cuts slow clients, and {@code HttpConnection} refuses what is no request. The JDK's own
 * server was left: its errors name Java classes, and its limits hold for the whole process.
 */
package dev.kopf4j.engine.admission;
