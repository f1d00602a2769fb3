/**
 * Whether the operator acts: streams and handlers run only while nothing speaks against it. Serving (probes, webhooks)
 * goes on in any case. Peering and leader election tell what speaks against it; the reactor and daemons obey.
 */
package dev.kopf4j.engine.pausing;
