/** The kinds of the core group: pods, services, namespaces, config maps, secrets, volumes, events, nodes. */
package dev.kopf4j.devcluster.strategy.core;
