/** What operators under test run on: a dev cluster with sockets, a cluster that exists, or a simulation. */
@NullMarked
package dev.kopf4j.testing.environment;

import org.jspecify.annotations.NullMarked;
