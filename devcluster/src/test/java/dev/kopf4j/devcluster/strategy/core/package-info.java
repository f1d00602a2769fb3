/** Tests of the strategies of core kinds. */
@org.jspecify.annotations.NullMarked
package dev.kopf4j.devcluster.strategy.core;
