/**
 * Operators and API servers in simulated time, for the tests of the engine. {@link Scenario} has an operator and a
 * {@link FakeApiServer} of one resource; {@link TinyCluster} serves several resources. The chaos tests have servers of
 * their own.
 */
@NullMarked
package dev.kopf4j.engine.simulation;

import org.jspecify.annotations.NullMarked;
